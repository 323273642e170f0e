/** Running sums, one row and column larger than the map, so that box sums take four look-ups. @param into memory of an earlier call for
 *  the same size, to be used again. */
export function integralOf(map: Uint8Array | Float32Array, width: number, height: number, into?: Float64Array): Float64Array {
  const w = width + 1;
  const sums = into ?? new Float64Array(w * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    let above = y * w + 1;
    const from = y * width;
    for (let i = from; i < from + width; i += 1) {
      row += map[i] as number;
      sums[above + w] = (sums[above] as number) + row;
      above += 1;
    }
  }
  return sums;
}

/** Sum over columns left to right-1 and rows top to bottom-1 of the map behind `integralOf`. */
export function boxSum(sums: Float64Array, width: number, left: number, top: number, right: number, bottom: number): number {
  const low = bottom * (width + 1);
  const high = top * (width + 1);
  return (
    (sums[low + right] as number) - (sums[high + right] as number) - (sums[low + left] as number) + (sums[high + left] as number)
  );
}
