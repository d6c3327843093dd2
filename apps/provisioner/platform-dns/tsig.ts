import { createHmac, timingSafeEqual } from 'node:crypto';

/** Key shared with a name server. */
export interface TsigKey {
  readonly name: string;
  readonly secret: Buffer;
}

const ALGORITHM = 'hmac-sha256';
const TYPE = 250;
const ANY = 255;
const FUDGE_S = 300;

/** Converts a name to its wire format, in lower case and without compression. */
export function wireName(name: string): Buffer {
  const labels = name
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

/** Fields of a number of bytes each, in network order. */
function numbers(...fields: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntBE(value, 0, bytes);
      return buffer;
    }),
  );
}

const withLength = (mac: Buffer): Buffer => Buffer.concat([numbers([mac.length, 2]), mac]);

/**
 * Signs messages and verifies their responses with TSIG (RFC 8945) and HMAC-SHA256. Used for one exchange.
 *
 * The digest covers the message without the TSIG record, followed by the record's fields (section 4.3.3). A response
 * also covers the request's MAC (5.3), and each later message of a transfer the previous MAC, all messages since then
 * and only the time (5.3.1).
 */
export class Tsig {
  private previous: Buffer = Buffer.alloc(0);
  private responses = 0;
  private unsigned: Buffer[] = [];

  constructor(
    private readonly key: TsigKey,
    private readonly nowS: () => number,
  ) {}

  sign(message: Buffer): Buffer {
    const time = numbers([this.nowS(), 6], [FUDGE_S, 2]);
    const mac = this.digest([message, this.fields(time, numbers([0, 2], [0, 2]))]);
    this.previous = mac;
    const data = Buffer.concat([
      ...[wireName(ALGORITHM), time, withLength(mac)],
      ...[message.subarray(0, 2), numbers([0, 2], [0, 2])],
    ]);
    const record = Buffer.concat([
      wireName(this.key.name),
      numbers([TYPE, 2], [ANY, 2], [0, 4], [data.length, 2]),
      data,
    ]);
    const signed = Buffer.concat([message, record]);
    signed.writeUInt16BE(signed.readUInt16BE(10) + 1, 10);
    return signed;
  }

  /** Returns why a message of the response is not authentic, or null. `end` must be called after the last message. */
  verify(message: Buffer): string | null {
    const record = lastRecord(message);
    if (record?.type !== TYPE) {
      this.unsigned.push(message);
      return null;
    }
    const { time, timeS, mac, originalId, error, rest } = tsigData(message, record);
    if (error !== 0) return `the name server rejects the key (TSIG error ${error})`;
    const plain = Buffer.from(message.subarray(0, record.start));
    originalId.copy(plain, 0);
    plain.writeUInt16BE(plain.readUInt16BE(10) - 1, 10);
    const signedFields = this.responses === 0 ? this.fields(time, rest) : time;
    const expected = this.digest([withLength(this.previous), ...this.unsigned, plain, signedFields]);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
      return 'the signature of the response is wrong';
    if (Math.abs(this.nowS() - timeS) > FUDGE_S) return 'the clocks of the name server and this server differ';
    this.previous = mac;
    this.responses++;
    this.unsigned = [];
    return null;
  }

  /** Returns why the response as a whole is not authentic, or null. Its last message must be signed. */
  end(): string | null {
    return this.responses === 0 || this.unsigned.length > 0 ? 'the response is not signed' : null;
  }

  private fields(time: Buffer, rest: Buffer): Buffer {
    return Buffer.concat([wireName(this.key.name), numbers([ANY, 2], [0, 4]), wireName(ALGORITHM), time, rest]);
  }

  private digest(parts: readonly Buffer[]): Buffer {
    return createHmac('sha256', this.key.secret).update(Buffer.concat(parts)).digest();
  }
}

interface LastRecord {
  readonly type: number;
  readonly start: number;
  readonly data: number;
}

/** Returns the position of the last record of the additional section, or null without one. */
function lastRecord(message: Buffer): LastRecord | null {
  if (message.readUInt16BE(10) === 0) return null;
  let at = 12;
  for (let count = message.readUInt16BE(4); count > 0; count--) at = afterName(message, at) + 4;
  let last: LastRecord | null = null;
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  for (let count = records; count > 0; count--) {
    const start = at;
    at = afterName(message, at);
    last = { type: message.readUInt16BE(at), start, data: at + 10 };
    at += 10 + message.readUInt16BE(at + 8);
  }
  return last;
}

function afterName(message: Buffer, from: number): number {
  let at = from;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

function tsigData(message: Buffer, { data }: LastRecord) {
  const at = afterName(message, data);
  const macLength = message.readUInt16BE(at + 8);
  const mac = message.subarray(at + 10, at + 10 + macLength);
  const after = at + 10 + macLength;
  return {
    time: message.subarray(at, at + 8),
    timeS: message.readUIntBE(at, 6),
    mac,
    originalId: message.subarray(after, after + 2),
    error: message.readUInt16BE(after + 2),
    // Error, length of other data, and other data.
    rest: message.subarray(after + 2, after + 6 + message.readUInt16BE(after + 4)),
  };
}
