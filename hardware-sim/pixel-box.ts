/** Part of a picture, whole px; right and bottom are the first column and line outside. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** True when two boxes share a pixel. */
export function overlaps(a: PixelBox, b: PixelBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Joins boxes that overlap, so that no pixel is drawn twice. */
export function mergedBoxes(boxes: readonly PixelBox[]): readonly PixelBox[] {
  const merged: PixelBox[] = [];
  for (const box of boxes) {
    let grown = box;
    for (let i = merged.length - 1; i >= 0; i -= 1) {
      const other = merged[i];
      if (other === undefined || !overlaps(grown, other)) continue;
      grown = {
        left: Math.min(grown.left, other.left),
        top: Math.min(grown.top, other.top),
        right: Math.max(grown.right, other.right),
        bottom: Math.max(grown.bottom, other.bottom),
      };
      merged.splice(i, 1);
      i = merged.length;
    }
    if (grown.right > grown.left && grown.bottom > grown.top) merged.push(grown);
  }
  return merged;
}

/** The part of `box` inside `limit`; may be empty. */
export function clippedTo(box: PixelBox, limit: PixelBox): PixelBox {
  const x = (value: number): number => Math.max(limit.left, Math.min(limit.right, value));
  const y = (value: number): number => Math.max(limit.top, Math.min(limit.bottom, value));
  return { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) };
}

/** The smallest box around points, grown by `marginPx` on each side. */
export function boxAround(points: readonly (readonly [number, number])[], marginPx: number): PixelBox {
  return {
    left: Math.floor(Math.min(...points.map((p) => p[0])) - marginPx),
    top: Math.floor(Math.min(...points.map((p) => p[1])) - marginPx),
    right: Math.ceil(Math.max(...points.map((p) => p[0])) + marginPx),
    bottom: Math.ceil(Math.max(...points.map((p) => p[1])) + marginPx),
  };
}
