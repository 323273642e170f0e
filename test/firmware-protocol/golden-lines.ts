import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from '../../src/product-root.ts';

/** One line of `firmware-protocol/golden.txt`. */
export interface GoldenLine {
  readonly direction: 'to-device' | 'to-host';
  /** The bytes without LF. */
  readonly bytes: Buffer;
  readonly text: string;
  readonly meaning: string;
}

/** All golden lines. */
export function goldenLines(): readonly GoldenLine[] {
  const lines = readFileSync(join(productRoot, 'firmware-protocol', 'golden.txt'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [direction, text = '', meaning = ''] = line.split('\t');
      if (direction !== 'to-device' && direction !== 'to-host') throw new Error(`golden.txt: direction of "${line}"`);
      return { direction, bytes: unescaped(text), text, meaning };
    });
}

function unescaped(text: string): Buffer {
  const plain = text
    .replaceAll('\\r', '\r')
    .replace(/\\x([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(plain, 'latin1');
}
