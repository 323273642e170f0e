import type { Picture } from './picture.ts';

/** How the light of a picture differs from that of the empty reference: per channel a smooth factor over the tray. */
export interface Lighting {
  /** Six coefficients of the logarithm of the factor for blue, green, red: 1, u, v, u², uv, v² with u and v from -1 to 1 over the picture. */
  readonly logGain: readonly (readonly number[])[];
  /** Mean factor over the tray for blue, green, red. */
  readonly meanGain: readonly [number, number, number];
  /** How far the factor departs from its mean over the tray, as the largest ratio minus 1; large when a lamp failed. */
  readonly unevenness: number;
}

/** Side of the cells whose sums are compared, px of the reduced picture: small enough that a die spoils few of them, large enough that
 *  sensor noise cancels. */
const cellPx = 9;
/** Residual (natural logarithm) at which a cell counts half: 0.06 is about three times the scatter of floor cells in the shared renders. */
const cellScatter = 0.06;
const passCount = 6;

/** Fits the change of light between the empty reference and a picture of the same size, ignoring the minority of cells that dice,
 *  shadows or strange objects cover. @param usable 1 for floor pixels of the tray outside glare, else 0. */
export function fitLighting(reference: Picture, picture: Picture, usable: Uint8Array): Lighting {
  const cells = cellRatios(reference, picture, usable);
  const logGain = [0, 1, 2].map((channel) => robustSurface(cells, channel));
  let meanGain: [number, number, number] = [1, 1, 1];
  let unevenness = 0;
  if (cells.length > 0) {
    const sums = [0, 0, 0];
    const lows = [9, 9, 9];
    const highs = [-9, -9, -9];
    for (const cell of cells) {
      for (let channel = 0; channel < 3; channel += 1) {
        const value = surfaceAt(logGain[channel] ?? [], cell.u, cell.v);
        sums[channel] = (sums[channel] ?? 0) + value;
        lows[channel] = Math.min(lows[channel] ?? 0, value);
        highs[channel] = Math.max(highs[channel] ?? 0, value);
      }
    }
    meanGain = [0, 1, 2].map((c) => Math.exp((sums[c] ?? 0) / cells.length)) as [number, number, number];
    unevenness = Math.max(...[0, 1, 2].map((c) => Math.exp((highs[c] ?? 0) - (lows[c] ?? 0)))) - 1;
  }
  return { logGain, meanGain, unevenness };
}

/** Factor of the light at one place for blue, green, red. @param u,v from -1 to 1 over the reduced picture. */
export function gainAt(lighting: Lighting, u: number, v: number): [number, number, number] {
  return [0, 1, 2].map((channel) => Math.exp(surfaceAt(lighting.logGain[channel] ?? [], u, v))) as [number, number, number];
}

/** The floor as it must look in this light: the reference times the fitted factor, three floats a pixel. */
export function litFloor(reference: Picture, lighting: Lighting): Float32Array {
  const { width, height, data } = reference;
  const floor = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const v = (2 * y) / (height - 1) - 1;
    // The factor is smooth: evaluating it at every fourth column and holding it between is far below a grey level of error.
    let gain: [number, number, number] = [1, 1, 1];
    for (let x = 0; x < width; x += 1) {
      if ((x & 3) === 0) gain = gainAt(lighting, (2 * (x + 1.5)) / (width - 1) - 1, v);
      const i = 3 * (y * width + x);
      floor[i] = (data[i] ?? 0) * gain[0];
      floor[i + 1] = (data[i + 1] ?? 0) * gain[1];
      floor[i + 2] = (data[i + 2] ?? 0) * gain[2];
    }
  }
  return floor;
}

interface Cell {
  readonly u: number;
  readonly v: number;
  readonly logRatio: readonly number[];
}

function cellRatios(reference: Picture, picture: Picture, usable: Uint8Array): Cell[] {
  const { width, height } = reference;
  const cells: Cell[] = [];
  for (let top = 0; top + cellPx <= height; top += cellPx) {
    for (let left = 0; left + cellPx <= width; left += cellPx) {
      const sumsReference = [0, 0, 0];
      const sumsPicture = [0, 0, 0];
      let count = 0;
      for (let y = top; y < top + cellPx; y += 1) {
        for (let x = left; x < left + cellPx; x += 1) {
          const i = y * width + x;
          if (usable[i] !== 1) continue;
          count += 1;
          for (let c = 0; c < 3; c += 1) {
            sumsReference[c] = (sumsReference[c] ?? 0) + (reference.data[3 * i + c] ?? 0);
            sumsPicture[c] = (sumsPicture[c] ?? 0) + (picture.data[3 * i + c] ?? 0);
          }
        }
      }
      if (count < (cellPx * cellPx) / 2) continue;
      // Two grey levels are added to both so that a black channel of the floor does not give a wild ratio.
      const logRatio = [0, 1, 2].map((c) =>
        Math.log(((sumsPicture[c] ?? 0) + 2 * count) / ((sumsReference[c] ?? 0) + 2 * count)),
      );
      cells.push({ u: (2 * (left + cellPx / 2)) / (width - 1) - 1, v: (2 * (top + cellPx / 2)) / (height - 1) - 1, logRatio });
    }
  }
  return cells;
}

/** Robust least squares of a quadratic surface: starts at the median and takes Cauchy weights, so a third of spoiled cells does no harm. */
function robustSurface(cells: readonly Cell[], channel: number): number[] {
  if (cells.length < 12) return [0, 0, 0, 0, 0, 0];
  const sorted = cells.map((cell) => cell.logRatio[channel] ?? 0).sort((a, b) => a - b);
  const basis = [1, 0, 0, 0, 0, 0];
  let surface = [sorted[sorted.length >> 1] ?? 0, 0, 0, 0, 0, 0];
  for (let pass = 0; pass < passCount; pass += 1) {
    // The first passes judge cells against a wide scatter so that a slope (a failed lamp) is followed before it is taken for outliers.
    const scatter = cellScatter * (pass < 3 ? 4 - pass : 1);
    const rows: number[][] = Array.from({ length: 6 }, () => new Array<number>(7).fill(0));
    for (const { u, v, logRatio } of cells) {
      const value = logRatio[channel] ?? 0;
      const residual = (value - surfaceAt(surface, u, v)) / scatter;
      const weight = 1 / (1 + residual * residual) ** 2;
      basis[1] = u;
      basis[2] = v;
      basis[3] = u * u;
      basis[4] = u * v;
      basis[5] = v * v;
      for (let i = 0; i < 6; i += 1) {
        const row = rows[i] as number[];
        for (let j = 0; j < 6; j += 1) row[j] = (row[j] ?? 0) + weight * (basis[i] ?? 0) * (basis[j] ?? 0);
        row[6] = (row[6] ?? 0) + weight * (basis[i] ?? 0) * value;
      }
    }
    for (let i = 0; i < 6; i += 1) (rows[i] as number[])[i] = (rows[i]?.[i] ?? 0) + (i === 0 ? 1e-6 : 0.05);
    surface = solveLinear(rows);
  }
  return surface;
}

function surfaceAt(surface: readonly number[], u: number, v: number): number {
  return (
    (surface[0] ?? 0) +
    (surface[1] ?? 0) * u +
    (surface[2] ?? 0) * v +
    (surface[3] ?? 0) * u * u +
    (surface[4] ?? 0) * u * v +
    (surface[5] ?? 0) * v * v
  );
}

/** Solves a small dense linear system given as rows with the right side as last column (Gauss with pivoting). A singular column gives 0. */
export function solveLinear(rows: number[][]): number[] {
  const n = rows.length;
  const m = rows.map((row) => [...row]);
  for (let column = 0; column < n; column += 1) {
    let pivot = column;
    for (let r = column + 1; r < n; r += 1) if (Math.abs(m[r]?.[column] ?? 0) > Math.abs(m[pivot]?.[column] ?? 0)) pivot = r;
    const swapped = m[column] as number[];
    m[column] = m[pivot] as number[];
    m[pivot] = swapped;
    const head = m[column] as number[];
    const lead = head[column] ?? 0;
    if (Math.abs(lead) < 1e-12) continue;
    for (let r = 0; r < n; r += 1) {
      if (r === column) continue;
      const row = m[r] as number[];
      const factor = (row[column] ?? 0) / lead;
      if (factor === 0) continue;
      for (let c = column; c <= n; c += 1) row[c] = (row[c] ?? 0) - factor * (head[c] ?? 0);
    }
  }
  return m.map((row, i) => (Math.abs(row[i] ?? 0) < 1e-12 ? 0 : (row[n] ?? 0) / (row[i] ?? 1)));
}
