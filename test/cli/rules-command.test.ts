import { describe, expect, it } from 'vitest';
import { handWrittenPrices, handWrittenWins } from '../core/rules/hand-written-prices.ts';
import { runCaptured } from './run-captured.ts';

describe('sicbo rules', () => {
  it('lists the houses', async () => {
    const { exitCode, lines } = await runCaptured('rules');
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(6);
    expect(lines[2]).toMatch(/^live +110 +35\/36 = 97\.22 % /);
  });

  it('lists zones with label, price, ways and return as one line of JSON', async () => {
    const { exitCode, lines } = await runCaptured('rules --house live --json');
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(1);
    const view = JSON.parse(lines[0] ?? '');
    expect(Object.keys(view)).toEqual(['house', 'zones', 'rtpMax']);
    expect(view).toMatchObject({ house: 'live', rtpMax: '35/36' });
    expect(view.zones).toHaveLength(110);
    expect(view.zones[0]).toEqual({ id: 'small', label: 'Small', pays: ['1:1'], ways: [105], rtp: '35/36' });
    expect(view.zones[4]).toEqual({
      id: 'single-1',
      label: 'Number 1',
      pays: ['1:1', '2:1', '3:1'],
      ways: [75, 15, 1],
      rtp: '199/216',
    });
  });

  it("labels zones in the house's own language, or in one asked for", async () => {
    const labelOfSmall = async (line: string) => JSON.parse((await runCaptured(line)).out).zones[0].label;
    expect(await labelOfSmall('rules --house regulation-ru --json')).toBe('Малая ставка');
    expect(await labelOfSmall('rules --house live --language fr --json')).toBe('Petit');
    expect(await runCaptured('rules --house live --language ru')).toMatchObject({
      exitCode: 2,
      err: 'rules.bad-language: --language ru: house live has en, ja, fr\n',
    });
  });

  it('marks prices that are not in the document, for people', async () => {
    const { lines } = await runCaptured('rules --house trainer');
    expect(lines.find((line) => line.startsWith('double-3 '))).toMatch(/Belirli ikili 3-3 +11:1 \* +16 +8\/9 = 88\.89 %$/);
    expect(lines.at(-2)).toBe('trainer: 50 zones, highest return 35/36 = 97.22 %');
    expect(lines.at(-1)).toMatch(/^\* not in the house's document: published Australian prices/);
  });

  it('tells what a roll wins, its dice lowest first', async () => {
    const { lines } = await runCaptured('rules --house macau --roll 5,2,2 --json');
    expect(lines).toEqual([
      '{"house":"macau","dice":[2,2,5],"total":9,"wins":[{"zone":"small","pays":"1:1"},{"zone":"single-2","pays":"2:1"},{"zone":"single-5","pays":"1:1"},{"zone":"double-2","pays":"8:1"},{"zone":"total-9","pays":"6:1"},{"zone":"pair-2-5","pays":"5:1"}]}',
    ]);
    expect((await runCaptured('rules --house macau --roll 5,2,2')).lines.slice(0, 2)).toEqual([
      '2, 2, 5: 9',
      '  small     Small Bet (Under 11)  1:1',
    ]);
  });

  it.each(Object.entries(handWrittenPrices))(
    'prints each of the 216 rolls of house %s once, with all that it wins',
    async (id, prices) => {
      const { lines } = await runCaptured(`rules --house ${id} --roll all --json`);
      const rolls = lines.map((line) => JSON.parse(line));
      expect(new Set(rolls.map(({ dice }) => dice.join(''))).size).toBe(216);
      expect(rolls).toHaveLength(216);
      for (const { house, dice, total, wins } of rolls) {
        expect(house).toBe(id);
        expect(total).toBe(dice[0] + dice[1] + dice[2]);
        expect(wins.map((win: { zone: string; pays: string }) => `${win.zone} ${win.pays}`).sort()).toEqual(
          handWrittenWins(dice, prices),
        );
      }
    },
  );

  it.each(['2,2', '2,2,7', '0,1,2', '2,2,5,1', 'a,b,c', '2;2;5', '2,,5', '1.5,2,3'])(
    'refuses the roll %s and says what is possible',
    async (roll) => {
      expect(await runCaptured(`rules --house live --roll ${roll}`)).toMatchObject({
        exitCode: 2,
        out: '',
        err: `rules.bad-roll: --roll ${roll}: three faces from 1 to 6 with commas, like 2,2,5, or "all"\n`,
      });
    },
  );

  it('refuses an unknown house, and a roll without a house', async () => {
    expect(await runCaptured('rules --house vegas')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('unknown house "vegas"; the houses are atlantic-city, live, macau, regulation-ru, trainer'),
    });
    expect(await runCaptured('rules --roll 1,2,3')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--roll needs --house'),
    });
  });
});
