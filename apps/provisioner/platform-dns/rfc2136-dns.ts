import { connect } from 'node:net';
import { TTL_S, type ZoneRecord } from '@moorage/dns';
import { SECOND_MS } from '@moorage/domain';
import type { Clock, Random } from '@moorage/server';
import dnsPacket, { type Answer, type DecodedPacket, type Packet } from 'dns-packet';
import {
  addressType,
  markedNames,
  type PlatformDns,
  PlatformDnsError,
  type PlatformDnsErrorKind,
  type PlatformRecords,
} from './platform-dns';
import { Tsig, type TsigKey, wireName } from './tsig';

export interface NameServer {
  readonly zone: string;
  readonly host: string;
  readonly port: number;
  readonly key: TsigKey;
}

const EXCHANGE_MS = 20 * SECOND_MS;
/** Limit of a zone transfer, about 300 bytes for each name. */
const TRANSFER_MAX_BYTES = 32 * 1024 * 1024;
const UPDATE = 5 << 11;
const NONE = 254;
const RCODES: Readonly<Record<number, readonly [PlatformDnsErrorKind, string]>> = {
  1: ['invalid', 'FORMERR'],
  2: ['transient', 'SERVFAIL'],
  4: ['invalid', 'NOTIMP'],
  5: ['refused', 'REFUSED'],
  6: ['conflict', 'YXDOMAIN'],
  8: ['conflict', 'NXRRSET'],
  9: ['refused', 'NOTAUTH'],
  10: ['invalid', 'NOTZONE'],
};
const NXRRSET = 8;

/**
 * Platform DNS on a primary name server, with dynamic updates (RFC 2136) and zone transfers (RFC 5936) over TCP, signed
 * with TSIG (RFC 8945). Each change is a single update whose prerequisite is our mark, so the server itself protects
 * records without it.
 */
export class Rfc2136PlatformDns implements PlatformDns {
  constructor(
    private readonly server: NameServer,
    private readonly mark: () => Promise<string>,
    private readonly parts: { readonly random: Random; readonly clock: Pick<Clock, 'systemNow'> },
  ) {}

  async list(signal: AbortSignal): Promise<readonly PlatformRecords[]> {
    const { zone } = this.server;
    const question = { type: 'AXFR' as const, class: 'IN' as const, name: zone };
    const answers: Answer[] = [];
    const isSoa = ({ type }: Answer): boolean => type === 'SOA';
    await this.exchange(
      dnsPacket.encode({ type: 'query', id: this.id(), questions: [question] }),
      signal,
      (message) => {
        refuseRcode(message);
        answers.push(...(message.answers ?? []));
        // A transfer begins and ends with the SOA record.
        return answers.filter(isSoa).length >= 2;
      },
    );
    return markedNames(answers.flatMap(zoneRecord), await this.mark());
  }

  async put(
    { name, address }: { readonly name: string; readonly address: string },
    signal: AbortSignal,
  ): Promise<void> {
    const mark: Answer = { type: 'TXT', name, ttl: TTL_S, data: await this.mark() };
    const records: Answer[] = [
      ...deletions(name),
      ...[name, `*.${name}`].map((each): Answer => ({
        type: addressType(address),
        name: each,
        ttl: TTL_S,
        data: address,
      })),
    ];
    if (await this.update({ prerequisites: [{ ...mark, ttl: 0 }], records }, signal)) return;
    // The name is new, unless it has records without the mark.
    const created = await this.update({ prerequisites: unused(name), records: [mark, ...records] }, signal);
    if (!created) throw new PlatformDnsError('conflict', `${name} has records that this installation did not create`);
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    const mark: Answer = { type: 'TXT', name, ttl: 0, data: await this.mark() };
    await this.update({ prerequisites: [mark], records: [...deletions(name), rrset('TXT', name, 'ANY')] }, signal);
  }

  /** Returns false if a prerequisite is not met. */
  private async update(
    { prerequisites, records }: { readonly prerequisites: readonly Answer[]; readonly records: readonly Answer[] },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { zone } = this.server;
    const packet: Packet = {
      type: 'query',
      id: this.id(),
      flags: UPDATE,
      questions: [{ type: 'SOA', class: 'IN', name: zone }],
      answers: [...prerequisites],
      authorities: [...records],
    };
    const message = dnsPacket.encode(packet);
    // dns-packet has no class NONE, so it is written over the class of these prerequisites, which have no data.
    let at = 12 + wireName(zone).length + 4;
    for (const { name } of prerequisites.filter(isUnused)) {
      at += wireName(name).length;
      message.writeUInt16BE(NONE, at + 2);
      at += 10;
    }
    let isMet = true;
    await this.exchange(message, signal, (response) => {
      isMet = ![6, NXRRSET].includes(rcodeOf(response));
      if (isMet) refuseRcode(response);
      return true;
    });
    return isMet;
  }

  private id(): number {
    return this.parts.random.bytes(2).readUInt16BE();
  }

  /** Sends a signed message and passes each verified message of the response on, until `isLast` returns true. */
  private async exchange(
    message: Buffer,
    signal: AbortSignal,
    isLast: (message: DecodedPacket) => boolean,
  ): Promise<void> {
    const tsig = new Tsig(this.server.key, () => Math.floor(this.parts.clock.systemNow() / SECOND_MS));
    const over = AbortSignal.any([signal, AbortSignal.timeout(EXCHANGE_MS)]);
    const fail = (why: string): PlatformDnsError =>
      new PlatformDnsError('transient', `${this.server.host}:${this.server.port}: ${why}`);
    const socket = connect({ host: this.server.host, port: this.server.port, signal: over });
    try {
      const signed = tsig.sign(message);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(signed.length);
      socket.write(Buffer.concat([length, signed]));
      let received: Buffer = Buffer.alloc(0);
      let total = 0;
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        total += chunk.length;
        if (total > TRANSFER_MAX_BYTES) throw fail('the response is too long');
        received = Buffer.concat([received, chunk]);
        while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
          const part = received.subarray(2, 2 + received.readUInt16BE());
          received = received.subarray(2 + part.length);
          if (part.readUInt16BE() !== message.readUInt16BE()) throw fail('the response has another id');
          const decoded = dnsPacket.decode(part);
          const why = tsig.verify(part);
          if (why !== null) throw new PlatformDnsError('refused', why);
          if (!isLast(decoded)) continue;
          const end = tsig.end();
          if (end !== null) throw fail(end);
          return;
        }
      }
      throw fail('the connection was closed');
    } catch (error) {
      if (error instanceof PlatformDnsError) throw error;
      signal.throwIfAborted();
      throw fail(error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'failed');
    } finally {
      socket.destroy();
    }
  }
}

/** A record without data, which stands for a whole set of records (RFC 2136, sections 2.4 and 2.5). */
const rrset = (type: 'A' | 'AAAA' | 'TXT' | 'ANY', name: string, klass: 'ANY'): Answer =>
  ({ type: `UNKNOWN_${NUMBERS[type]}`, name, class: klass, ttl: 0, data: Buffer.alloc(0) }) as unknown as Answer;
const NUMBERS = { A: 1, TXT: 16, AAAA: 28, ANY: 255 } as const;

const deletions = (name: string): Answer[] =>
  [name, `*.${name}`].flatMap((each) => [rrset('A', each, 'ANY'), rrset('AAAA', each, 'ANY')]);

/** Prerequisites that neither the name nor its wildcard is in use. */
const unused = (name: string): Answer[] => [name, `*.${name}`].map((each) => rrset('ANY', each, 'ANY'));
const isUnused = ({ type }: Answer): boolean => (type as string) === `UNKNOWN_${NUMBERS.ANY}`;

const rcodeOf = ({ flags }: DecodedPacket): number => (flags ?? 0) & 0x0f;

function refuseRcode(message: DecodedPacket): void {
  const rcode = rcodeOf(message);
  if (rcode === 0) return;
  const [kind, text] = RCODES[rcode] ?? ['transient', `response code ${rcode}`];
  throw new PlatformDnsError(kind, `the name server answers ${text}`);
}

function zoneRecord(answer: Answer): ZoneRecord[] {
  const name = answer.name.toLowerCase();
  if (answer.type === 'A' || answer.type === 'AAAA') return [{ name, type: answer.type, value: answer.data }];
  if (answer.type !== 'TXT') return [];
  const parts = [answer.data].flat().map(String);
  return [{ name, type: 'TXT', value: parts.join('') }];
}
