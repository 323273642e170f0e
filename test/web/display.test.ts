import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TableServer } from '../../src/api/build-server.ts';
import { loadHouse } from '../../src/config/load-house.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { winningZones } from '../../src/core/rules/house.ts';
import { FakeTable } from '../api/fake-table.ts';
import { closeBetting, declare, playRound, read, settle, shake } from '../api/played-rounds.ts';
import { serverOf } from '../api/table-server.ts';
import { buildPages, openBrowser } from './display-browser.ts';

const heartbeatMs = 300;
const waiting = { timeout: 10_000, interval: 20 };

describe('the display', () => {
  let browser: Browser;
  let webRoot: string;
  let table: FakeTable;
  let server: TableServer;
  let address: string;
  let page: Page;

  beforeAll(async () => {
    [browser, webRoot] = await Promise.all([openBrowser(), buildPages()]);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(webRoot, { recursive: true, force: true });
  });
  beforeEach(async () => {
    table = new FakeTable();
    await serve('live');
    page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  async function serve(houseId: string): Promise<void> {
    server = await serverOf(table, { feed: { heartbeatMs }, webRoot }, houseId);
    address = await server.listen({ host: '127.0.0.1', port: 0 });
  }
  async function show(at = address): Promise<void> {
    await page.goto(`${at}/display`);
    await page.locator('main[data-live="true"]').waitFor();
  }
  const atHead = () => page.locator(`main[data-seq="${table.head.recordNumber}"]`).waitFor();
  const lit = () =>
    page
      .locator('[data-zone][data-lit="true"]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-zone')).sort());
  const facesOf = (place: string) =>
    page.locator(`${place} [data-face]`).evaluateAll((dice) => dice.map((die) => die.getAttribute('data-face')));

  it.each([
    ['two minutes slow', -120_000],
    ['a day ahead', 86_400_000],
  ])('counts down with the server when its own clock is %s, also after a reload', async (_clock, shiftMs) => {
    await page.addInitScript((shift) => {
      const Real = Date;
      class Shifted extends Real {
        constructor(...given: [] | [number]) {
          super(...((given.length === 0 ? [Real.now() + shift] : given) as [number]));
        }
        static override now(): number {
          return Real.now() + shift;
        }
      }
      globalThis.Date = Shifted as DateConstructor;
    }, shiftMs);
    table.openRound({ bettingMs: 60_000 });
    await show();
    for (const _visit of ['first', 'reload']) {
      const errorsMs: number[] = [];
      for (let sample = 0; sample < 5; sample += 1) {
        const before = table.remainingMs() ?? 0;
        const shown = Number(await page.locator('.seconds').getAttribute('data-ms-left'));
        const afterwards = table.remainingMs() ?? 0;
        errorsMs.push(shown > before ? shown - before : Math.max(0, afterwards - shown));
      }
      errorsMs.sort((a, b) => a - b);
      expect(errorsMs[2]).toBeLessThanOrEqual(300);
      const [seconds, left] = [Number(await page.locator('.seconds b').textContent()), (table.remainingMs() ?? 0) / 1000];
      expect(Math.abs(seconds - left)).toBeLessThan(1.5);
      await page.reload();
      await page.locator('main[data-live="true"]').waitFor();
    }
  });

  it.each([
    ['live', [1, 2, 5]],
    ['live', [4, 4, 4]],
    ['macau', [3, 3, 6]],
    ['regulation-ru', [5, 6, 6]],
  ] as const)(
    'lights all winners of the house %s on %j and no other zone, with dice, total and round id',
    async (houseId, dice) => {
      await server.close();
      await serve(houseId);
      await show();
      const zoneCount = await page.locator('[data-zone]').count();
      expect(zoneCount).toBe(houseId === 'live' ? 110 : 50);
      playRound(table, dice as unknown as Dice, houseId);
      await atHead();
      expect(await lit()).toEqual(
        winningZones(dice as unknown as Dice, loadHouse(houseId))
          .map(({ zone }) => zone)
          .sort(),
      );
      expect(await facesOf('.dice-large')).toEqual(dice.map(String));
      expect(await page.locator('[data-total]').textContent()).toBe(String(dice[0] + dice[1] + dice[2]));
      expect(await page.locator('.header [data-round-id]').textContent()).toBe(table.roundId);
      expect(await facesOf('.road-column.is-newest')).toEqual(dice.map(String));
    },
  );

  it('keeps the layout dark and the dice blank from "no more bets" until the result', async () => {
    playRound(table, [6, 6, 6]);
    table.openRound();
    await show();
    expect(await page.locator('.felt-open').count()).toBe(1);
    const dark = async () => {
      await atHead();
      expect(await page.locator('.felt-dark').count()).toBe(1);
      expect(await lit()).toEqual([]);
      expect(await facesOf('.dice-large')).toEqual([]);
    };
    closeBetting(table);
    await dark();
    expect(await page.locator('.stage h2').textContent()).toBe('No more bets');
    shake(table, 1);
    await dark();
    settle(table, 1);
    await dark();
    read(table, 1);
    await dark();
    declare(table, 1, [1, 2, 5]);
    await atHead();
    expect((await lit()).length).toBeGreaterThan(0);
  });

  it('says at which shake the round is and why, in plain words', async () => {
    await show();
    table.openRound();
    closeBetting(table);
    shake(table, 1);
    table.round(
      { kind: 'shakeFinished', shakeNumber: 1, tumbleCount: 4, activationCount: 1, isSettled: true },
      { kind: 'throwVoided', shakeNumber: 1, cause: 'overlapping' },
    );
    shake(table, 2, 'overlapping');
    await atHead();
    expect(await page.locator('[data-shake-number]').textContent()).toBe('Shake 2');
    expect(await page.locator('.stage-words p').allTextContents()).toEqual([
      'Dice lay on each other',
      'The last throw does not count',
      'All bets stand',
    ]);
  });

  it('says that it is not live when the table goes away, and shows what it missed once it is back', async () => {
    table.openRound();
    await show();
    const { port } = new URL(address);
    await server.close();
    await page.locator('.not-live').waitFor();
    expect(await page.locator('.seconds b').textContent()).toBe('–');
    closeBetting(table);
    shake(table, 1);
    settle(table, 1);
    read(table, 1);
    declare(table, 1, [2, 2, 6]);
    table.round({ kind: 'roundSettled' });
    server = await serverOf(table, { feed: { heartbeatMs }, webRoot });
    await server.listen({ host: '127.0.0.1', port: Number(port) });
    await page.locator('main[data-live="true"]').waitFor({ timeout: 20_000 });
    await atHead();
    expect(await page.locator('.not-live').count()).toBe(0);
    expect(await facesOf('.dice-large')).toEqual(['2', '2', '6']);
    expect(await page.locator('.road-column[data-round-id]').count()).toBe(1);
  });

  it('shows the present when the data of the house come late', async () => {
    const frames: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
    await page.addInitScript(() => {
      const read = Response.prototype.json;
      const json = async function (this: Response): Promise<unknown> {
        const value: unknown = await read.call(this);
        await new Promise((release) => Object.assign(globalThis, { releaseHouse: release }));
        return value;
      };
      Object.assign(Response.prototype, { json });
    });
    await page.goto(`${address}/display`);
    await vi.waitUntil(() => page.evaluate<boolean>("typeof globalThis.releaseHouse === 'function'"), waiting);
    playRound(table, [4, 5, 6]);
    await vi.waitUntil(() => frames.some((frame) => frame.includes('"roundSettled"')), waiting);
    await page.evaluate('globalThis.releaseHouse()');
    await page.locator('main.display').waitFor();
    expect(await page.locator('main').getAttribute('data-seq')).toBe(String(table.head.recordNumber));
    expect(await facesOf('.dice-large')).toEqual(['4', '5', '6']);
  });

  it('says that it is not live when the line goes silent without closing', async () => {
    const proxy = await silenceableProxy(Number(new URL(address).port));
    try {
      await show(`http://127.0.0.1:${proxy.port}`);
      proxy.silence();
      const startedAt = performance.now();
      await page.locator('.not-live').waitFor();
      expect(performance.now() - startedAt).toBeLessThan(4 * heartbeatMs + 1_000);
      expect(await page.locator('main').getAttribute('data-live')).toBe('false');
    } finally {
      proxy.close();
    }
  });

  it.each([
    ['live', 1920, 1080],
    ['live', 1280, 720],
    ['macau', 1920, 1080],
    ['live', 390, 844],
    ['regulation-ru', 390, 844],
  ])('fits the house %s on %i by %i without cutting a zone', async (houseId, width, height) => {
    await server.close();
    await serve(houseId);
    await page.setViewportSize({ width, height });
    playRound(table, [3, 3, 3], houseId);
    await show();
    const isPhone = width < 760;
    const size = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    );
    expect(size[0]).toBeLessThanOrEqual(width);
    if (!isPhone) expect(size[1]).toBeLessThanOrEqual(height);
    const cut = await page.locator('[data-zone]').evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const outer = cell.getBoundingClientRect();
          return [...cell.children].some((part) => {
            const inner = part.getBoundingClientRect();
            return (
              inner.width > 0 &&
              (inner.left < outer.left - 1 ||
                inner.right > outer.right + 1 ||
                inner.top < outer.top - 1 ||
                inner.bottom > outer.bottom + 1)
            );
          });
        })
        .map((cell) => cell.getAttribute('data-zone')),
    );
    expect(cut).toEqual([]);
  });

  it('moves nothing for people who asked for less motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show();
    table.openRound();
    closeBetting(table);
    shake(table, 1);
    await atHead();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await vi.waitUntil(() => page.evaluate<boolean>('document.getAnimations().length > 0'), waiting);
  });
});

/** A proxy in front of `port` that can go quiet in both directions while its connections stay open. */
async function silenceableProxy(port: number): Promise<{ port: number; silence(): void; close(): void }> {
  const sockets: Socket[] = [];
  let isSilent = false;
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on('error', () => {});
      from.on('data', (data) => {
        if (!isSilent) to.write(data);
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    silence() {
      isSilent = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
