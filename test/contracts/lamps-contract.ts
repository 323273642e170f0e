import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The status of lamps as plain data; zones sorted. */
export interface LampsReport {
  readonly condition: string;
  readonly problems: readonly string[];
  readonly lit: readonly string[];
}

/** Lamps that may live in another process, with the lamps' own word and the light that an onlooker sees. Wired: the zones big, small and total-4. */
export interface LampsUnderTest {
  open(): Promise<LampsReport>;
  show(zones: readonly string[]): Promise<LampsReport>;
  close(): Promise<LampsReport>;
  /** Zones whose lamp shines, sorted. */
  shining(): Promise<readonly string[]>;
  /** Cleans up after the test. */
  dispose(): Promise<void>;
}

/** What every implementation of `Lamps` keeps. */
export function describeLamps(name: string, make: () => Promise<LampsUnderTest>): void {
  describe(`${name} keeps the contract of lamps`, () => {
    let lamps: LampsUnderTest;
    beforeEach(async () => {
      lamps = await make();
    });
    afterEach(() => lamps.dispose());

    it('is offline before it is opened and dark once opened', async () => {
      expect(await lamps.shining()).toEqual([]);
      expect(await lamps.open()).toEqual({ condition: 'ok', problems: [], lit: [] });
      expect(await lamps.shining()).toEqual([]);
    });

    it('lights exactly the zones shown last', async () => {
      await lamps.open();
      await lamps.show(['small']);
      expect(await lamps.shining()).toEqual(['small']);
      expect(await lamps.show(['big', 'total-4'])).toEqual({ condition: 'ok', problems: [], lit: ['big', 'total-4'] });
      expect(await lamps.shining()).toEqual(['big', 'total-4']);
      await lamps.show([]);
      expect(await lamps.shining()).toEqual([]);
    });

    it('lights on opening what was shown before', async () => {
      expect(await lamps.show(['small'])).toMatchObject({ condition: 'offline', lit: [] });
      expect(await lamps.shining()).toEqual([]);
      expect(await lamps.open()).toEqual({ condition: 'ok', problems: [], lit: ['small'] });
      expect(await lamps.shining()).toEqual(['small']);
    });

    it('skips a zone without a lamp, says which, and lights the others', async () => {
      await lamps.open();
      const expected = { condition: 'degraded', problems: ['no lamp is wired for 1 zones: moon'], lit: ['big'] };
      expect(await lamps.show(['big', 'moon'])).toEqual(expected);
      expect(await lamps.shining()).toEqual(['big']);
    });

    it('is dark after closing, for good', async () => {
      await lamps.open();
      await lamps.show(['big']);
      expect(await lamps.close()).toMatchObject({ condition: 'offline', lit: [] });
      expect(await lamps.shining()).toEqual([]);
      await lamps.close();
      expect(await lamps.show(['big'])).toMatchObject({ condition: 'offline', lit: [] });
      expect(await lamps.shining()).toEqual([]);
    });
  });
}
