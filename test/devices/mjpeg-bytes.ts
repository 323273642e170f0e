/** Bytes that are a JPEG to anybody who only looks at its markers; two texts give two pictures. */
export function jpegOf(text: string): Buffer {
  const comment = Buffer.from(text, 'latin1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(comment.length + 2);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe]), length, comment, Buffer.from([0xff, 0xd9])]);
}

/** One part of a stream, delimiter first. */
export function partOf(body: Buffer, heads: readonly string[], boundary = 'frame'): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${heads.join('\r\n')}\r\n\r\n`, 'latin1'),
    body,
    Buffer.from('\r\n', 'latin1'),
  ]);
}
