import { createSocket, type RemoteInfo } from 'node:dgram';

/** Response for a name on the test's own DNS server. */
export interface Name {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  readonly ns?: readonly string[];
  /** Issuer only, or a whole record. */
  readonly caa?: readonly (string | { readonly flags: number; readonly tag: string; readonly value: string })[];
  /** Types of records for which it fails. */
  readonly fails?: readonly (keyof typeof TYPES)[];
  readonly rcode?: 'SERVFAIL' | 'REFUSED';
  readonly silent?: boolean;
}

const TYPES = { A: 1, NS: 2, CNAME: 5, AAAA: 28, CAA: 257 } as const;
const RCODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** Starts a DNS server on loopback that responds from the map. Changes to the map take effect at once. */
export async function dnsServer(
  names: Map<string, Name>,
): Promise<{ address: string; questions: string[]; stop(): Promise<void> }> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { host, type, end } = readQuestion(query);
    questions.push(`${host} ${type}`);
    const name = names.get(host);
    if (name?.silent === true) return;
    socket.send(answer(query, end, type, name), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { host: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { host: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, end: number, type: number, name: Name | undefined): Buffer {
  const records = name === undefined ? [] : recordsOf(name, type);
  const header = Buffer.from(query.subarray(0, 12));
  header[2] = 0x84 | ((header[2] ?? 0) & 0x01);
  header[3] = rcodeOf(name, type);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

function rcodeOf(name: Name | undefined, type: number): number {
  if (name === undefined) return RCODES.NXDOMAIN;
  if (name.fails?.some((kind) => TYPES[kind] === type) === true) return RCODES.SERVFAIL;
  return name.rcode === undefined ? 0 : RCODES[name.rcode];
}

function recordsOf({ a = [], aaaa = [], cname, ns = [], caa = [], rcode, fails = [] }: Name, type: number): Buffer[] {
  if (rcode !== undefined || fails.some((kind) => TYPES[kind] === type)) return [];
  const alias = cname === undefined ? [] : [record(TYPES.CNAME, encodeName(cname))];
  switch (type) {
    case TYPES.A:
      return [...alias, ...a.map((text) => record(TYPES.A, Buffer.from(text.split('.').map(Number))))];
    case TYPES.AAAA:
      return [...alias, ...aaaa.map((text) => record(TYPES.AAAA, encodeSix(text)))];
    case TYPES.CNAME:
      return alias;
    case TYPES.NS:
      return ns.map((text) => record(TYPES.NS, encodeName(text)));
    case TYPES.CAA:
      return caa.map((each) => {
        const { flags, tag, value } = typeof each === 'string' ? { flags: 0, tag: 'issue', value: each } : each;
        return record(TYPES.CAA, Buffer.concat([Buffer.from([flags, tag.length]), Buffer.from(tag + value)]));
      });
    default:
      return [];
  }
}

/** Encodes a record for the requested name (a pointer to byte 12) with a TTL of ten seconds. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(10, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodeName(host: string): Buffer {
  const labels = host.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function encodeSix(text: string): Buffer {
  const [left = '', right = ''] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  const all = text.includes('::') ? [...groups(left), ...zeros, ...groups(right)] : groups(text);
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}
