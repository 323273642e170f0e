import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../web/display-browser.ts';

/** What a display shows of the round: the words and marks of its page, as a player sees them. */
export interface ShownRound {
  readonly roundId: string | null;
  readonly phase: string | null;
  /** False while the page says that it is not live. */
  readonly isLive: boolean;
  /** In the order of the page; empty while no result is shown. */
  readonly dice: readonly number[];
  readonly total: number | null;
  /** Zones that are lit on the felt, sorted. */
  readonly lit: readonly string[];
}

/** The display of a table in a real browser. */
export class DisplayPage {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(): Promise<DisplayPage> {
    const browser = await openBrowser();
    return new DisplayPage(browser, await browser.newPage({ viewport: { width: 1920, height: 1080 } }));
  }

  /** Goes to the display of the table at this address and waits until it is live. */
  async show(address: string): Promise<void> {
    await this.#page.goto(`${address}/display`);
    await this.#page.locator('main[data-live="true"]').waitFor();
  }

  /** What the page shows once it is live and has record `seq`, and no later one. @throws Error when it does not come to that within 20 s. */
  async shownAt(seq: number): Promise<ShownRound> {
    await this.#page.locator(`main[data-live="true"][data-seq="${seq}"]`).waitFor({ timeout: 20_000 });
    return this.shownNow();
  }

  /** What the page shows now, whatever it has heard. */
  shownNow(): Promise<ShownRound> {
    return this.#page.evaluate<ShownRound>(look);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** Runs in the page, in one go. */
const look = `(() => {
  const all = (selector, attribute) => [...document.querySelectorAll(selector)].map((element) => element.getAttribute(attribute));
  const text = (selector) => document.querySelector(selector)?.textContent ?? null;
  const total = text('[data-total]');
  return {
    roundId: text('.header [data-round-id]'),
    phase: document.querySelector('main').getAttribute('data-phase'),
    isLive: document.querySelector('main').getAttribute('data-live') === 'true',
    dice: all('.dice-large [data-face]', 'data-face').map(Number),
    total: total === null ? null : Number(total),
    lit: all('[data-zone][data-lit="true"]', 'data-zone').sort(),
  };
})()`;
