import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableServer } from '../../src/api/build-server.ts';
import { apiErrors } from '../../src/api/errors.ts';
import { productRoot } from '../../src/product-root.ts';
import { FakeTable } from './fake-table.ts';
import { closeBetting, pictureSha256, playRound, read, reading, settle, shake } from './played-rounds.ts';
import { damagedSha256, serverOf } from './table-server.ts';

const dealer = { name: 'Mei', role: 'dealer' };

describe('the API', () => {
  let table: FakeTable;
  let server: TableServer;

  beforeEach(async () => {
    table = new FakeTable();
    server = await serverOf(table);
  });
  afterEach(() => server.close());

  const get = async (url: string) => {
    const response = await server.app.inject({ method: 'GET', url });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };
  const post = async (act: string, payload: unknown, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
    const response = await server.app.inject({
      method: 'POST',
      url: `/api/acts/${act}`,
      payload: payload as object,
      headers: { host: 'localhost:8080', ...headers },
      remoteAddress,
    });
    return { status: response.statusCode, body: response.json() };
  };

  it('shows the countdown by the server and counts it down', async () => {
    table.openRound({ bettingMs: 20_000 });
    const { body } = await get('/api/table');
    expect(body.table.phase).toBe('betting');
    expect(body.seq).toBe(4);
    expect(body.table.countdown).toMatchObject({ name: 'betting', durationMs: 20_000 });
    expect(body.table.countdown.remainingMs).toBeGreaterThan(19_000);
    expect(body.table.countdown.remainingMs).toBeLessThanOrEqual(20_000);
  });

  it('says at which shake the round is and why the one before did not count', async () => {
    table.openRound();
    closeBetting(table);
    shake(table, 1);
    table.round(
      { kind: 'shakeFinished', shakeNumber: 1, tumbleCount: 2, activationCount: 1, isSettled: true },
      { kind: 'throwVoided', shakeNumber: 1, cause: 'too-few-tumbles' },
    );
    shake(table, 2, 'too-few-tumbles');
    const { body } = await get('/api/table');
    expect(body.table.round).toMatchObject({ shakeNumber: 2, reshakeCause: 'too-few-tumbles', isBettingClosed: true });
    expect(body.table.round.attempts[0]).toEqual({ shakeNumber: 1, tumbleCount: 2, fault: 'too-few-tumbles', failure: null });
  });

  it('lists ended rounds newest first, page by page, and a void round without a result', async () => {
    playRound(table, [1, 2, 5]);
    playRound(table, [2, 2, 2]);
    table.openRound();
    table.round({ kind: 'roundVoided', cause: 'shaker-jammed', detail: '', by: null, second: null });
    const first = await get('/api/history?limit=2');
    expect(first.body.rounds).toMatchObject([
      { roundNumber: 3, end: 'voided', voidCause: 'shaker-jammed', dice: null, total: null, outcome: null, winningZones: [] },
      { roundNumber: 2, end: 'settled', dice: [2, 2, 2], total: 6, outcome: 'triple', shakeCount: 1 },
    ]);
    const second = await get(`/api/history?limit=2&before=${first.body.nextBefore}`);
    expect(second.body).toMatchObject({
      rounds: [{ roundNumber: 1, dice: [1, 2, 5], total: 8, outcome: 'small' }],
      nextBefore: null,
    });
  });

  it('does not count a reading of a round that was voided', async () => {
    table.openRound();
    closeBetting(table);
    shake(table, 1);
    settle(table, 1);
    read(table, 1);
    table.round({ kind: 'diceRead', shakeNumber: 1, reading: reading([3, 3, 4]) });
    table.round({
      kind: 'roundVoided',
      cause: 'requested',
      detail: 'dispute',
      by: { name: 'Mei', role: 'dealer' },
      second: null,
    });
    expect((await get('/api/history')).body.rounds[0]).toMatchObject({ end: 'voided', dice: null });
    expect((await get('/api/statistics')).body.roundCount).toBe(0);
  });

  it('shows every step of a round with the address of its picture and without names', async () => {
    playRound(table, [1, 2, 5]);
    const { body } = await get(`/api/rounds/${table.roundId}`);
    expect(body.steps.map((step: { event: { kind: string } }) => step.event.kind)).toEqual([
      'roundOpened',
      'bettingOpened',
      'bettingClosed',
      'shakeOrdered',
      'shakeFinished',
      'restWatchOrdered',
      'diceRested',
      'readOrdered',
      'diceRead',
      'resultDeclared',
      'roundSettled',
    ]);
    const declared = body.steps[9];
    expect(declared.event).toMatchObject({ dice: [1, 2, 5], total: 8 });
    expect(declared.evidence).toEqual([{ sha256: pictureSha256, url: `/api/evidence/${pictureSha256}` }]);
    expect(declared.at.wallMs).toBe(Date.UTC(2026, 0, 1) + 10);
    expect((await get('/api/rounds/none')).body.code).toBe('api.round-unknown');
  });

  it('gives a picture that may be kept for ever, and says when there is none or it is damaged', async () => {
    const picture = await server.app.inject({ method: 'GET', url: `/api/evidence/${pictureSha256}` });
    expect(picture.rawPayload).toEqual(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
    expect(picture.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await get(`/api/evidence/${'00'.repeat(32)}`)).toMatchObject({ status: 404, body: { code: 'api.evidence-unknown' } });
    expect(await get(`/api/evidence/${damagedSha256}`)).toMatchObject({ status: 500, body: { code: 'evidence.damaged' } });
    expect(await get('/api/evidence/..%2f..%2fetc')).toMatchObject({ status: 400, body: { code: 'api.bad-request' } });
  });

  it('shows the house in force with exact returns', async () => {
    const { body } = await get('/api/house');
    expect(body).toMatchObject({ houseId: 'live', rtpMax: '35/36' });
    expect(body.zones).toHaveLength(110);
    expect(body.zones.find((zone: { id: string }) => zone.id === 'single-3')).toMatchObject({
      pays: ['1:1', '2:1', '3:1'],
      ways: [75, 15, 1],
    });
  });

  it('counts faces and totals of the last 50 rounds', async () => {
    playRound(table, [1, 2, 5]);
    playRound(table, [6, 6, 6]);
    expect((await get('/api/statistics')).body).toEqual({
      roundCount: 2,
      small: 1,
      big: 0,
      triple: 1,
      odd: 0,
      even: 1,
      faceCounts: [1, 1, 0, 0, 1, 3],
      totalCounts: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      hotTotals: [18, 8],
      coldTotals: [10, 11, 9],
    });
  });

  it('reports a standing fault that forbids play', async () => {
    expect((await get('/healthz')).body).toEqual({ status: 'ok', phase: 'closed' });
    table.standingFaults = ['lamps.degraded'];
    expect((await get('/healthz')).body.status).toBe('degraded');
    table.standingFaults = ['lamps.degraded', 'camera.frozen'];
    const { body } = await get('/api/health');
    expect(body).toMatchObject({ status: 'blocked', devices: [{ device: 'shaker', isUp: true, counters: { badLines: 2 } }] });
    expect(body.standingFaults).toEqual([
      { code: 'lamps.degraded', isBlocking: false },
      { code: 'camera.frozen', isBlocking: true },
    ]);
  });

  it('takes an act for the round on the page and hands it on whole', async () => {
    table.openRound();
    const given = { by: dealer, roundId: table.roundId, reason: 'player fainted' };
    expect(await post('hold', given)).toEqual({ status: 200, body: { kind: 'done', seq: 4 } });
    expect(table.acts).toEqual([{ kind: 'hold', ...given }]);
    expect((await post('void', given)).status).toBe(200);
    expect(table.acts[1]).toEqual({ kind: 'void', second: null, ...given });
  });

  it('refuses an act from a page that shows another round', async () => {
    table.openRound();
    expect(await post('close-betting', { by: dealer, roundId: '0a1b2c3d-0' })).toMatchObject({
      status: 409,
      body: { code: 'act.stale-round' },
    });
    table.answerActs({ kind: 'refused', cause: 'second-person-needed' });
    expect(await post('void', { by: dealer, roundId: table.roundId, reason: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'act.second-person-needed' },
    });
  });

  it.each([
    ['another machine', {}, '192.168.1.20', 'api.not-loopback'],
    ['another machine over IPv6', {}, 'fe80::1', 'api.not-loopback'],
    ['a proxy on this machine', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1', 'api.not-loopback'],
    ['a name that was rebound to this machine', { host: 'evil.example:8080' }, '127.0.0.1', 'api.cross-site'],
    ['a page of another site', { origin: 'http://evil.example' }, '127.0.0.1', 'api.cross-site'],
    ['a page on another port', { origin: 'http://localhost:3000' }, '127.0.0.1', 'api.cross-site'],
    ['an opaque page', { origin: 'null' }, '127.0.0.1', 'api.cross-site'],
    ['a cross-site form', { 'sec-fetch-site': 'cross-site' }, '127.0.0.1', 'api.cross-site'],
  ])('takes no act from %s', async (_who, headers, address, code) => {
    const answer = await post('open', { by: dealer, roundId: null }, headers as Record<string, string>, address);
    expect(answer).toMatchObject({ status: 403, body: { code } });
    expect(table.acts).toEqual([]);
  });

  it('shows the number of the hold and takes no resume that does not name one', async () => {
    table.openRound();
    table.round({ kind: 'roundHeld', cause: 'foreign-object', detail: 'a coin', by: null });
    const { body } = await get('/api/table');
    expect(body.table.hold).toMatchObject({ holdNumber: 1, cause: 'foreign-object', fromPhase: 'betting' });
    const given = { by: { name: 'Sam', role: 'supervisor' }, roundId: table.roundId };
    expect(await post('resume', given)).toMatchObject({ status: 400, body: { code: 'api.bad-request' } });
    expect(table.acts).toEqual([]);
    expect(await post('resume', { ...given, holdNumber: 1 })).toMatchObject({ status: 200 });
    expect(table.acts).toEqual([{ kind: 'resume', ...given, holdNumber: 1 }]);
    table.answerActs({ kind: 'refused', cause: 'stale-hold' });
    expect(await post('resume', { ...given, holdNumber: 1 })).toMatchObject({ status: 409, body: { code: 'act.stale-hold' } });
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('takes acts from %s', async (address) => {
    expect((await post('open', { by: dealer, roundId: null }, { origin: 'http://localhost:8080' }, address)).status).toBe(200);
  });

  it('names every problem of an act at once and does nothing', async () => {
    const { status, body } = await post('hold', { by: { name: '', role: 'king' }, roundId: 7, reason: 'a\u0007b', extra: 1 });
    expect(status).toBe(400);
    expect(body.code).toBe('api.bad-request');
    expect(body.problems.map((problem: string) => problem.split(':')[0])).toEqual([
      'body/by/name',
      'body/by/role',
      'body/roundId',
      'body/reason',
      'body/',
    ]);
    expect(table.acts).toEqual([]);
  });

  it('takes JSON only, of a sensible size', async () => {
    const text = await server.app.inject({
      method: 'POST',
      url: '/api/acts/open',
      headers: { host: 'localhost', 'content-type': 'text/plain' },
      payload: '{"by":{"name":"Mei","role":"dealer"},"roundId":null}',
    });
    expect([text.statusCode, text.json().code]).toEqual([415, 'api.unsupported-media']);
    const broken = await server.app.inject({
      method: 'POST',
      url: '/api/acts/open',
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload: '{"by":',
    });
    expect([broken.statusCode, broken.json().code]).toEqual([400, 'api.bad-request']);
    expect(await post('hold', { reason: 'x'.repeat(10_000) })).toMatchObject({ status: 413, body: { code: 'api.too-large' } });
    expect(await get('/api/history?limit=100000')).toMatchObject({ status: 400 });
    expect(await get('/nowhere')).toMatchObject({ status: 404, body: { code: 'api.not-found' } });
  });

  it('describes every route in its OpenAPI document, with references that resolve', async () => {
    const { body } = await get('/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths).sort()).toEqual([
      '/api/acts/close-betting',
      '/api/acts/hold',
      '/api/acts/open',
      '/api/acts/resume',
      '/api/acts/shake',
      '/api/acts/unlock',
      '/api/acts/void',
      '/api/evidence/{sha256}',
      '/api/health',
      '/api/history',
      '/api/house',
      '/api/rounds/{roundId}',
      '/api/statistics',
      '/api/table',
      '/healthz',
    ]);
    for (const operations of Object.values<Record<string, { summary: string; responses: Record<string, unknown> }>>(body.paths)) {
      for (const operation of Object.values(operations)) {
        expect(operation.summary).not.toBe('');
        expect(Object.keys(operation.responses)).toContain('200');
      }
    }
    for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(body.components.schemas)).toContain(name);
    }
    const body400 = body.paths['/api/acts/hold'].post.requestBody.content['application/json'].schema;
    expect(body400.required).toEqual(['by', 'roundId', 'reason']);
  });

  it('documents exactly the error codes that it has', () => {
    const rows = readFileSync(join(productRoot, 'src/api/ERRORS.md'), 'utf8').matchAll(
      /^\| `([a-z.-]+)` *\| (\d+) *\| (.+?) *\|$/gm,
    );
    const documented = [...rows].map(([, code, status, message]) => [code, Number(status), message]);
    expect(documented).toEqual(Object.entries(apiErrors).map(([code, { status, message }]) => [code, status, message]));
  });

  it('sends the visitor of / to the display', async () => {
    const response = await server.app.inject({ method: 'GET', url: '/' });
    expect([response.statusCode, response.headers.location]).toEqual([302, '/display']);
  });

  it('says that the pages are not built instead of showing nothing', async () => {
    const bare = await serverOf(table, { webRoot: '/nowhere' });
    const response = await bare.app.inject({ method: 'GET', url: '/display' });
    expect([response.statusCode, response.json().code]).toEqual([503, 'web.not-built']);
    await bare.close();
  });
});
