const HALF_BYTES = 32 * 1024;

/** Stores the head and the tail of a stream of any length, at most 64 KiB. */
export interface BoundedOutput {
  add(chunk: Buffer): void;
  /** Returns text without NUL, ANSI sequences and control characters other than line ends and tabs. */
  text(): string;
}

export function boundedOutput(): BoundedOutput {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let dropped = 0;
  return {
    add(chunk) {
      const room = HALF_BYTES - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = chunk.subarray(Math.max(0, room));
      if (rest.length === 0) return;
      const joined = Buffer.concat([tail, rest.subarray(-HALF_BYTES)]);
      dropped += rest.length - Math.min(rest.length, HALF_BYTES) + Math.max(0, joined.length - HALF_BYTES);
      tail = joined.subarray(-HALF_BYTES);
    },
    text() {
      const gap = dropped === 0 ? '' : `\n[${dropped} bytes left out]\n`;
      return clean(head.toString('utf8') + gap + tail.toString('utf8'));
    },
  };
}

// Built from a string, because a pattern with literal control characters is hard to read.
const ESCAPES = new RegExp(
  '\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)|[@-Z\\\\-_])',
  'g',
);
const CONTROLS = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', 'g');

export function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}
