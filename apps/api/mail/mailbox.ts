import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCESS_WORDS, DomainError, iso } from '@moorage/domain';

export interface MailboxEntry {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly created_at: string;
}

/** Whose letters somebody may read: those to their own address, an administrator all. */
export interface Reader {
  readonly email: string;
  readonly isAdmin: boolean;
}

/** The letters in the folder of an installation that sends none. */
export interface Mailbox {
  /** The newest hundred of them. */
  list(reader: Reader): Promise<MailboxEntry[]>;
  /** NOT_FOUND alike for one that is absent and one to somebody else. */
  read(reader: Reader, id: number): Promise<MailboxEntry & { readonly text: string }>;
  /** Removes letters that were written before this instant. */
  clean(before: number): Promise<void>;
}

const LETTER = /^(\d{10})\.eml$/;
const LIST_MAX = 100;
const LOOKED_AT_MAX = 1_000;
const LETTER_BYTES_MAX = 256 * 1024;

export function createMailbox({ folder }: { folder: string }): Mailbox {
  async function letter(id: number): Promise<MailboxEntry & { text: string }> {
    const file = join(folder, `${String(id).padStart(10, '0')}.eml`);
    const found = await stat(file).catch(() => null);
    if (found === null || found.size > LETTER_BYTES_MAX) throw notThere();
    const { headers, text } = parse(await readFile(file, 'utf8'));
    return {
      id,
      to: headers.get('to') ?? '',
      subject: headers.get('subject') ?? '',
      created_at: iso(Date.parse(headers.get('date') ?? '') || found.mtimeMs),
      text,
    };
  }
  return {
    async list(reader) {
      const names = await readdir(folder).catch(() => []);
      const ids = names
        .map((name) => LETTER.exec(name)?.[1])
        .filter((digits) => digits !== undefined)
        .map(Number)
        .sort((a, b) => b - a)
        .slice(0, LOOKED_AT_MAX);
      const letters = await Promise.all(ids.map(letter));
      return letters
        .filter((each) => mayRead(reader, each))
        .slice(0, LIST_MAX)
        .map(({ text: _, ...entry }) => entry);
    },
    async read(reader, id) {
      const found = await letter(id);
      if (!mayRead(reader, found)) throw notThere();
      return found;
    },
    async clean(before) {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name);
        if (LETTER.test(name) && (await stat(file)).mtimeMs < before) await rm(file, { force: true });
      }
    },
  };
}

const notThere = (): DomainError => new DomainError('NOT_FOUND', ACCESS_WORDS.mail_unknown);

function mayRead({ email, isAdmin }: Reader, { to }: MailboxEntry): boolean {
  return isAdmin || to.toLowerCase() === email.toLowerCase();
}

/** Reads what our own postman writes: one text part, folded headers, encoded words, quoted-printable or base64 where needed. */
function parse(source: string): { headers: Map<string, string>; text: string } {
  const [head = '', ...rest] = source.split('\n\n');
  const headers = new Map(
    head
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), encodedWords(line.slice(colon + 1).trim())];
      }),
  );
  const body = rest.join('\n\n');
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString('utf8') };
  return { headers, text: encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\n/g, '')) : body };
}

function encodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')),
    );
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
