import { describe, expect, it } from 'vitest';
import { coveredPlayOutcomes } from './covered-play-outcomes.ts';
import type { Outcomes } from './fact-outcomes.ts';
import { haltedOutcomes } from './halted-outcomes.ts';
import { openPlayOutcomes } from './open-play-outcomes.ts';
import { facts, phases } from './phase-fact-cells.ts';

const outcomes: Readonly<Record<string, Outcomes>> = { ...openPlayOutcomes, ...haltedOutcomes, ...coveredPlayOutcomes };

/** The expected words for one cell; each cell must be written down exactly once. */
function expectedOutcome(phase: string, fact: string): string {
  const { taken, refused } = outcomes[phase] ?? { taken: {}, refused: {} };
  const refusals = Object.entries(refused).filter(([, kinds]) => kinds.split(' ').includes(fact));
  const words = [...(taken[fact] === undefined ? [] : [taken[fact]]), ...refusals.map(([cause]) => `refused ${cause}`)];
  return words.length === 1 && words[0] !== undefined ? words[0] : `written down ${words.length} times`;
}

describe.each(Object.keys(phases))('a table that is %s', (phase) => {
  it.each(Object.keys(facts))('knows what to do with %s', (kind) => {
    const table = phases[phase]?.();
    if (table === undefined) throw new Error(`unknown phase ${phase}`);
    const before = table.state;
    const fact = facts[kind]?.(table);
    if (fact === undefined) throw new Error(`unknown fact ${kind}`);

    const outcome = table.take(fact);

    const orders = table.effects.map((effect) => effect.kind).join(' ');
    const isRefused = outcome.startsWith('refused');
    const words = isRefused ? outcome : `${outcome} -> ${table.state.phase}${orders === '' ? '' : `, orders ${orders}`}`;
    expect(words).toBe(expectedOutcome(phase, kind));
    if (isRefused) expect(table.state).toBe(before);
    expect(table.rebuilt()).toEqual(table.state);
  });
});

describe('the table of outcomes', () => {
  it('names every phase and no fact that does not exist', () => {
    expect(Object.keys(outcomes)).toEqual(Object.keys(phases));
    const named = Object.values(outcomes).flatMap(({ taken, refused }) => [
      ...Object.keys(taken),
      ...Object.values(refused).flatMap((kinds) => kinds.split(' ')),
    ]);
    expect(named.filter((kind) => !(kind in facts))).toEqual([]);
    expect(named).toHaveLength(26 * 23);
  });
});
