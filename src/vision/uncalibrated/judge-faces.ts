import type { RefusalCause } from '../../core/judging/reading.ts';
import { toFace } from '../die-pose.ts';
import type { SeenFace } from './found-faces.ts';
import type { WorkingPicture } from './plane.ts';
import type { RoundSpot } from './round-spots.ts';
import { strangeBody } from './strange-body.ts';

/** The dice that are sure, and why they are not a result; null where they are one. */
export interface JudgedFaces {
  readonly dice: readonly SeenFace[];
  readonly cause: RefusalCause | null;
  readonly detail: string | null;
}

/** Bare places of a sure face stay below this share of a pip's contrast: half way from a bare place to a pip, less a tenth for noise. */
const strongestBareMax = 0.4;
/** Least correlation of the whole face with a drawn one. */
const lookMin = 0.75;
/** Least lead over drawn faces of other values; 4 and 5, which differ by a pip of six, leave 0.12 on a clean face. */
const leadMin = 0.07;
/** A face whose ground is no flat colour (a round field for the pips, a worn or printed die) correlates less with any drawn one; it needs more lead. */
const patternedLookMin = 0.6;
const patternedLeadMin = 0.2;
/** The same for a single pip, for which nothing but the bare face speaks: other drawn faces come to 0.6 at most. */
const singleLookMin = 0.78;
const singleLeadMin = 0.2;
/** Mean shorter over longer axis of the pips: the cosine of a view or lean of 41 degrees; pips of 5 px measure up to 0.1 too low. */
const axisRatioMin = 0.75;
/** A face that correlates this well with a drawn one, but is not sure, is perhaps a die. */
const doubtfulLookMin = 0.6;
/** Dice of one picture may be of different sets, but none is more than twice as large as another. */
const edgeRatioMax = 2.2;

/** Judges what was found in a picture. @param spots all that looks like a pip. @param bodies all that may be the body of a die. */
export function judgeFaces(
  picture: WorkingPicture,
  faces: readonly SeenFace[],
  spots: readonly RoundSpot[],
  bodies: readonly RoundSpot[],
): JudgedFaces {
  const dice: SeenFace[] = [];
  for (const face of faces
    .filter(isSure)
    .sort((a, b) => b.face.spots.length - a.face.spots.length || b.look.best - a.look.best)) {
    const other = dice.find((die) => isPartOf(face, die) || isSameDie(die, face));
    if (other === undefined) dice.push(face);
    else if (other.face.value !== face.face.value && !isPartOf(face, other)) {
      return { dice, cause: 'layout', detail: `a die reads as ${other.face.value} and as ${face.face.value}` };
    }
  }
  const doubtful = faces.find(
    (face) => face.look.best >= doubtfulLookMin && !dice.some((die) => isPartOf(face, die) || isSameDie(die, face)),
  );
  if (dice.length > 3) return { dice, cause: 'too-many-dice', detail: `${dice.length} dice` };
  if (dice.length < 3) {
    return { dice, cause: doubtful === undefined ? 'too-few-dice' : 'readers-disagree', detail: `${dice.length} sure dice` };
  }
  if (doubtful !== undefined) {
    const { face } = doubtful;
    return { dice, cause: 'readers-disagree', detail: `perhaps a ${face.value} at ${placeOf(face, picture)}` };
  }
  const edges = dice.map(({ body }) => body.pose.edgePx);
  if (Math.max(...edges) > edgeRatioMax * Math.min(...edges)) return { dice, cause: 'foreign-object', detail: 'sizes differ' };
  const stray = spots.filter((spot) => isStray(spot, dice));
  if (stray.length > 0) {
    return {
      dice,
      cause: 'foreign-object',
      detail: `${stray.length} stray spots, at ${stray
        .slice(0, 3)
        .map((spot) => placeOf(spot, picture))
        .join(' and ')}`,
    };
  }
  const body = strangeBody(picture.measured, bodies, dice);
  if (body !== null) {
    return { dice, cause: 'too-many-dice', detail: `perhaps a die at ${placeOf(body, picture)}` };
  }
  return { dice, cause: null, detail: null };
}

/** A place in words, px of the picture. */
function placeOf({ x, y }: { readonly x: number; readonly y: number }, { pxPerPx }: WorkingPicture): string {
  return `${(x * pxPerPx).toFixed(0)},${(y * pxPerPx).toFixed(0)}`;
}

function isSure({ face, cells, look }: SeenFace): boolean {
  const lead = look.best - look.otherBest;
  const axisRatio = face.spots.reduce((sum, spot) => sum + spot.axisRatio, 0) / face.spots.length;
  if (look.value !== face.value || cells.strongestBare > strongestBareMax || axisRatio < axisRatioMin) return false;
  if (face.value === 1) return look.best >= singleLookMin && lead >= singleLeadMin;
  return (look.best >= lookMin && lead >= leadMin) || (look.best >= patternedLookMin && lead >= patternedLeadMin);
}

/** Does the centre of one lie on the other? */
function isSameDie(a: SeenFace, b: SeenFace): boolean {
  const liesOn = (inner: SeenFace, outer: SeenFace): boolean => {
    const [u, v] = toFace(outer.body.pose, inner.face.x, inner.face.y);
    return Math.max(Math.abs(u), Math.abs(v)) < 0.5;
  };
  return liesOn(a, b) || liesOn(b, a);
}

/** Are all pips of `part` pips of `whole`? */
function isPartOf(part: SeenFace, whole: SeenFace): boolean {
  return part.face.spots.every((spot) =>
    whole.face.spots.some((other) => Math.hypot(other.x - spot.x, other.y - spot.y) < 0.4 * whole.face.pipPx),
  );
}

/** A spot like the dice's pips that belongs to none of them. */
function isStray(spot: RoundSpot, dice: readonly SeenFace[]): boolean {
  const pips = dice.map(({ face }) => face.pipPx);
  if (spot.axisRatio < axisRatioMin) return false;
  if (spot.diameterPx < 0.6 * Math.min(...pips) || spot.diameterPx > 1.6 * Math.max(...pips)) return false;
  if (spot.contrast < 0.5 * Math.min(...dice.map(({ face }) => face.contrast))) return false;
  return !dice.some(({ face, body }) => {
    const isOwn = face.spots.some((own) => Math.hypot(own.x - spot.x, own.y - spot.y) < 0.5 * face.pipPx);
    const [u, v] = toFace(body.pose, spot.x, spot.y);
    return isOwn || (Math.max(Math.abs(u), Math.abs(v)) < 0.35 && spot.contrast < 0.5 * face.contrast);
  });
}
