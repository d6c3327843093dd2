/**
 * An IP address in its only accepted spelling, which is dotted decimal without leading zeros, or IPv6 as in RFC 4291.
 */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Text as written by PostgreSQL's `host(inet)` and RFC 5952. */
  readonly text: string;
}

export interface Cidr {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly prefix: number;
}

const OCTET = /^(0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;

/**
 * Parses an IP address.
 *
 * @returns null for any other spelling, such as octal, hexadecimal, a single number, short forms, zones, brackets,
 * ports or spaces
 */
export function parseAddress(text: string): Address | null {
  if (text.length > 45) return null;
  if (!text.includes(':')) {
    const value = parseFour(text);
    return value === null ? null : { family: 4, value, text };
  }
  const value = parseSix(text);
  return value === null ? null : { family: 6, value, text: writeSix(value) };
}

/**
 * Parses a range such as `127.0.0.0/8` or `fd00::/8`. Bits after the prefix are ignored.
 *
 * @returns null if the text is not a range
 */
export function parseCidr(text: string): Cidr | null {
  const [addressText = '', bits = '', ...more] = text.split('/');
  const address = parseAddress(addressText);
  if (address === null || more.length > 0 || !/^\d{1,3}$/.test(bits)) return null;
  const prefix = Number(bits);
  return prefix > widthOf(address.family) ? null : { family: address.family, value: address.value, prefix };
}

/** Returns whether an address is in a range. Addresses of the other IP version never are. */
export function isWithin(address: Address, cidr: Cidr): boolean {
  if (address.family !== cidr.family) return false;
  const shift = BigInt(widthOf(cidr.family) - cidr.prefix);
  return address.value >> shift === cidr.value >> shift;
}

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

function parseFour(text: string): bigint | null {
  const octets = text.split('.');
  if (octets.length !== 4) return null;
  let value = 0n;
  for (const octet of octets) {
    if (!OCTET.test(octet) || Number(octet) > 255) return null;
    value = (value << 8n) | BigInt(octet);
  }
  return value;
}

function parseSix(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  // The dotted form of the last 32 bits is only allowed at the very end.
  const [left, right] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (left === null || left === undefined || right === null) return null;
  if (right === undefined) return left.length === 8 ? join(left) : null;
  const missing = 8 - left.length - right.length;
  // "::" represents at least one group.
  return missing < 1 ? null : join([...left, ...new Array<bigint>(missing).fill(0n), ...right]);
}

function groupsOf(half: string, isLast: boolean): bigint[] | null {
  if (half === '') return [];
  const parts = half.split(':');
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    if (isLast && part.includes('.') && index === parts.length - 1) {
      const four = parseFour(part);
      if (four === null) return null;
      groups.push(four >> 16n, four & 0xffffn);
    } else if (GROUP.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups.length > 8 ? null : groups;
}

function join(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/**
 * Formats an IPv6 address as in RFC 5952, in lower case, without leading zeros, and with the longest run of two or more
 * zero groups as "::".
 */
function writeSix(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0n) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.length < 2) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
