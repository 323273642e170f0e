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
  const logGain = cells.logRatios.map((values) => robustSurface(cells, values));
  if (cells.count === 0) return { logGain, meanGain: [1, 1, 1], unevenness: 0 };
  let unevenness = 0;
  const means = logGain.map((surface) => {
    let [sum, low, high] = [0, 9, -9];
    for (let k = 0; k < cells.count; k += 1) {
      const value = surfaceAt(surface, cells.u[k] as number, cells.v[k] as number);
      sum += value;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    unevenness = Math.max(unevenness, Math.exp(high - low) - 1);
    return Math.exp(sum / cells.count);
  });
  return { logGain, meanGain: [means[0] ?? 1, means[1] ?? 1, means[2] ?? 1], unevenness };
}

/** Factor of the light at one place for blue, green, red. @param u,v from -1 to 1 over the reduced picture. */
export function gainAt(lighting: Lighting, u: number, v: number): [number, number, number] {
  return [0, 1, 2].map((channel) => Math.exp(surfaceAt(lighting.logGain[channel] ?? [], u, v))) as [number, number, number];
}

/** The floor as it must look in this light: the reference times the fitted factor, three floats a pixel, into `floor`. */
export function litFloor(reference: Picture, lighting: Lighting, floor: Float32Array): Float32Array {
  const { width, height, data } = reference;
  // The factor is smooth: taking it at every fourth column and holding it between is far below a grey level of error. Along a row its logarithm
  // is a quadratic, so that each factor follows from the one before by two products instead of an exponential.
  const h = 8 / (width - 1);
  const u = 3 / (width - 1) - 1;
  for (let c = 0; c < 3; c += 1) {
    const [a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0] = lighting.logGain[c] ?? [];
    const bend = Math.exp(2 * a3 * h * h);
    for (let y = 0; y < height; y += 1) {
      const v = (2 * y) / (height - 1) - 1;
      let gain = Math.exp(a0 + a1 * u + a2 * v + a3 * u * u + a4 * u * v + a5 * v * v);
      let ratio = Math.exp((a1 + a4 * v) * h + a3 * (2 * u * h + h * h));
      const end = 3 * (y + 1) * width + c;
      for (let i = 3 * y * width + c; i < end; i += 12) {
        floor[i] = (data[i] as number) * gain;
        if (i + 9 < end) {
          floor[i + 3] = (data[i + 3] as number) * gain;
          floor[i + 6] = (data[i + 6] as number) * gain;
          floor[i + 9] = (data[i + 9] as number) * gain;
        } else {
          if (i + 3 < end) floor[i + 3] = (data[i + 3] as number) * gain;
          if (i + 6 < end) floor[i + 6] = (data[i + 6] as number) * gain;
        }
        gain *= ratio;
        ratio *= bend;
      }
    }
  }
  return floor;
}

/** Cells that show enough floor: their places, and the logarithm of their change for blue, green, red one after the other. */
interface Cells {
  readonly count: number;
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly logRatios: readonly [Float64Array, Float64Array, Float64Array];
}

function cellRatios(reference: Picture, picture: Picture, usable: Uint8Array): Cells {
  const { width, height, data: then } = reference;
  const now = picture.data;
  const most = Math.floor(width / cellPx) * Math.floor(height / cellPx);
  const cells = {
    u: new Float64Array(most),
    v: new Float64Array(most),
    logRatios: [new Float64Array(most), new Float64Array(most), new Float64Array(most)] as const,
  };
  let cellCount = 0;
  for (let top = 0; top + cellPx <= height; top += cellPx) {
    for (let left = 0; left + cellPx <= width; left += cellPx) {
      let count = 0;
      let [thenB, thenG, thenR, nowB, nowG, nowR] = [0, 0, 0, 0, 0, 0];
      for (let y = top; y < top + cellPx; y += 1) {
        const from = y * width + left;
        for (let i = from; i < from + cellPx; i += 1) {
          if (usable[i] !== 1) continue;
          count += 1;
          const j = 3 * i;
          thenB += then[j] as number;
          thenG += then[j + 1] as number;
          thenR += then[j + 2] as number;
          nowB += now[j] as number;
          nowG += now[j + 1] as number;
          nowR += now[j + 2] as number;
        }
      }
      if (count < (cellPx * cellPx) / 2) continue;
      cells.u[cellCount] = (2 * (left + cellPx / 2)) / (width - 1) - 1;
      cells.v[cellCount] = (2 * (top + cellPx / 2)) / (height - 1) - 1;
      // Two grey levels are added to both so that a black channel of the floor does not give a wild ratio.
      cells.logRatios[0][cellCount] = Math.log((nowB + 2 * count) / (thenB + 2 * count));
      cells.logRatios[1][cellCount] = Math.log((nowG + 2 * count) / (thenG + 2 * count));
      cells.logRatios[2][cellCount] = Math.log((nowR + 2 * count) / (thenR + 2 * count));
      cellCount += 1;
    }
  }
  return { count: cellCount, ...cells };
}

/** Robust least squares of a quadratic surface: starts at the median and takes Cauchy weights, so a third of spoiled cells does no harm. */
function robustSurface(cells: Cells, values: Float64Array): number[] {
  if (cells.count < 12) return [0, 0, 0, 0, 0, 0];
  const sorted = values.slice(0, cells.count).sort();
  let surface = [sorted[sorted.length >> 1] ?? 0, 0, 0, 0, 0, 0];
  // The normal equations, row by row: six columns and the right side.
  const sums = new Float64Array(42);
  const basis = new Float64Array(6);
  basis[0] = 1;
  for (let pass = 0; pass < passCount; pass += 1) {
    // The first passes judge cells against a wide scatter so that a slope (a failed lamp) is followed before it is taken for outliers.
    const scatter = cellScatter * (pass < 3 ? 4 - pass : 1);
    const [a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0] = surface;
    sums.fill(0);
    for (let k = 0; k < cells.count; k += 1) {
      const u = cells.u[k] as number;
      const v = cells.v[k] as number;
      const value = values[k] as number;
      const residual = (value - (a0 + a1 * u + a2 * v + a3 * u * u + a4 * u * v + a5 * v * v)) / scatter;
      const weight = 1 / (1 + residual * residual) ** 2;
      basis[1] = u;
      basis[2] = v;
      basis[3] = u * u;
      basis[4] = u * v;
      basis[5] = v * v;
      for (let i = 0; i < 6; i += 1) {
        const weighted = weight * (basis[i] as number);
        const row = 7 * i;
        for (let j = i; j < 6; j += 1) sums[row + j] = (sums[row + j] as number) + weighted * (basis[j] as number);
        sums[row + 6] = (sums[row + 6] as number) + weighted * value;
      }
    }
    const rows = Array.from({ length: 6 }, (_, i) =>
      Array.from({ length: 7 }, (_, j) => sums[j === 6 || j >= i ? 7 * i + j : 7 * j + i] ?? 0),
    );
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
