import { textTable } from '../../../src/cli/text-table.ts';
import { mutationKinds } from '../../vision/mutate-face.ts';
import type { MutationOutcome } from './measure-mutations.ts';

const values: readonly number[] = [1, 2, 3, 4, 5, 6];

/** Changed faces by value and kind of change; those that are legal faces apart. */
export function mutationLines(outcomes: readonly MutationOutcome[]): readonly string[] {
  const illegal = outcomes.filter(({ legalValue }) => legalValue === null);
  const legal = outcomes.filter(({ legalValue }) => legalValue !== null);
  return [
    `${illegal.length} pictures in which one die has a face that no die has`,
    ...table(illegal),
    '',
    'Of these, the changed die was given another number by',
    ...textTable(null, [
      ['  the geometric reader alone', String(illegal.filter((each) => isOther(each.geometric, each)).length)],
      ['  the appearance reader alone', String(illegal.filter((each) => isOther(each.appearance, each)).length)],
      [
        '  both, the same number',
        String(illegal.filter((each) => isOther(each.geometric, each) && each.geometric === each.appearance).length),
      ],
    ]),
    '',
    `${legal.length} pictures in which the changed face is a legal one (3 or 5 without its centre, 2 or 4 with one)`,
    ...table(legal),
    '',
    'Of these, the geometric reader gave the new number; the second reader caught it',
    ...legalLines(legal),
    '',
    'Refusals by cause',
    ...causeLines(outcomes),
  ];
}

/** Pictures accepted with a number that no face in them shows. */
export function misreadMutations(outcomes: readonly MutationOutcome[]): readonly MutationOutcome[] {
  return outcomes.filter(({ outcome }) => outcome === 'other');
}

function isOther(vote: number | null, { value }: MutationOutcome): boolean {
  return vote !== null && vote !== value;
}

function table(outcomes: readonly MutationOutcome[]): readonly string[] {
  const cells = (group: readonly MutationOutcome[]): readonly string[] =>
    [
      group.length,
      ...(['refused', 'kept', 'legal', 'other'] as const).map(
        (wanted) => group.filter(({ outcome }) => outcome === wanted).length,
      ),
    ].map(String);
  const rows = values.flatMap((value) =>
    mutationKinds.flatMap((kind) => {
      const group = outcomes.filter((each) => each.value === value && each.kind === kind);
      return group.length === 0 ? [] : [[`${value}, one pip ${kind}`, ...cells(group)]];
    }),
  );
  return textTable(
    ['face', 'pictures', 'refused', 'read as before', 'read as the new face', 'ANOTHER NUMBER'],
    [...rows, ['all', ...cells(outcomes)]],
  );
}

function legalLines(legal: readonly MutationOutcome[]): readonly string[] {
  const kinds = [...new Set(legal.map(({ value, legalValue }) => `${value} made ${legalValue}`))].sort();
  return textTable(
    ['', 'pictures', 'geometric gave it', 'caught by appearance', 'refused for other reasons', 'accepted'],
    kinds.map((name) => {
      const group = legal.filter(({ value, legalValue }) => `${value} made ${legalValue}` === name);
      const given = group.filter(({ geometric, legalValue }) => geometric === legalValue);
      const caught = given.filter(({ appearance, legalValue }) => appearance !== legalValue);
      const accepted = group.filter(({ outcome }) => outcome !== 'refused');
      return [
        name,
        group.length,
        given.length,
        caught.length,
        group.length - caught.length - accepted.length,
        accepted.length,
      ].map(String);
    }),
  );
}

function causeLines(outcomes: readonly MutationOutcome[]): readonly string[] {
  const causes = [...new Set(outcomes.flatMap(({ cause }) => cause ?? []))].sort();
  return textTable(
    null,
    causes.map((cause) => [`  ${cause}`, String(outcomes.filter((each) => each.cause === cause).length)]),
  );
}
