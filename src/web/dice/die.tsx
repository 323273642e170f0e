/** Pip centres of the six legal layouts on a face of 100 by 100, as on western dice. */
const pipCentres: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[50, 50]],
  2: [
    [27, 27],
    [73, 73],
  ],
  3: [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  4: [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  5: [
    [27, 27],
    [73, 27],
    [50, 50],
    [27, 73],
    [73, 73],
  ],
  6: [
    [29, 24],
    [71, 24],
    [29, 50],
    [71, 50],
    [29, 76],
    [71, 76],
  ],
};

/** One and four have red pips, as on the dice of Macau tables. */
const redFaces: ReadonlySet<number> = new Set([1, 4]);

/** A die from above. @param face 1 to 6; null draws a die whose face is not known. */
export function Die({ face, className = '' }: { readonly face: number | null; readonly className?: string }) {
  if (face === null) {
    return (
      <svg className={`die die-unknown ${className}`} viewBox="0 0 100 100" aria-hidden="true">
        <rect x="3" y="3" width="94" height="94" rx="19" />
      </svg>
    );
  }
  const radius = face === 1 ? 15 : face === 6 ? 9.6 : 10.4;
  return (
    <svg className={`die ${className}`} viewBox="0 0 100 100" aria-hidden="true" data-face={face}>
      <rect className="die-edge" x="1" y="1" width="98" height="98" rx="20" />
      <rect className="die-face" x="4" y="3" width="92" height="91" rx="18" />
      {(pipCentres[face] ?? []).map(([x, y]) => (
        <circle key={`${x}-${y}`} className={redFaces.has(face) ? 'pip pip-red' : 'pip'} cx={x} cy={y} r={radius} />
      ))}
    </svg>
  );
}

/** Several dice in a row, lowest first as they are given. */
export function DiceRow({ faces, className = '' }: { readonly faces: readonly (number | null)[]; readonly className?: string }) {
  return (
    <span className={`dice-row ${className}`}>
      {placesOf(faces).map(({ face, place }) => (
        <Die key={place} face={face} />
      ))}
    </span>
  );
}

/** Faces with their place in the row, the only identity that dice have. Pure. */
export function placesOf<Face>(faces: readonly Face[]): readonly { readonly face: Face; readonly place: number }[] {
  return faces.map((face, place) => ({ face, place }));
}
