import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCESS_MESSAGES, DomainError, type Instant, iso, SECOND_MS } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import PostalMime from 'postal-mime';
import { ApiSettings } from '../settings';

export interface MailboxEntry {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly created_at: string;
}

interface KeptMail extends MailboxEntry {
  readonly text: string;
  readonly html: string;
}

/** Who reads: users the mails to their own address, administrators all. */
export interface Reader {
  readonly email: string;
  readonly isAdmin: boolean;
  /** When the account got this address: earlier mails were to somebody else. */
  readonly since: Instant;
}

const FILE_NAME = /^(\d{10})\.eml$/;
const LIST_MAX = 100;
const LOOKED_AT_MAX = 1_000;
const BYTES_MAX = 256 * 1024;

/** The mails in the folder of an installation that sends none. */
@Injectable()
export class Mailbox {
  private readonly folder: string;

  constructor(settings: ApiSettings) {
    this.folder = settings.mail.folder;
  }

  /** What is listed of a mail. Mails never change, so each is parsed once; the oldest are forgotten first. */
  private readonly entries = new Map<number, MailboxEntry>();

  /** The newest hundred of them. */
  async list(reader: Reader): Promise<MailboxEntry[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names
      .map((name) => FILE_NAME.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => b - a)
      .slice(0, LOOKED_AT_MAX);
    const found: MailboxEntry[] = [];
    for (const id of ids) {
      const entry = await this.entry(id);
      if (entry !== null && mayRead(reader, entry)) found.push(entry);
      if (found.length === LIST_MAX) break;
    }
    return found;
  }

  /** NOT_FOUND alike for one that is absent and one to another address. */
  async read(reader: Reader, id: number): Promise<KeptMail> {
    const found = await this.mail(id);
    if (!mayRead(reader, found)) throw notThere();
    return found;
  }

  /** Removes mails that were written before this instant. */
  async clean(before: number): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = join(this.folder, name);
      if (FILE_NAME.test(name) && (await stat(file)).mtimeMs < before) await rm(file, { force: true });
    }
  }

  /** Null: it was removed meanwhile, or is too large. */
  private async entry(id: number): Promise<MailboxEntry | null> {
    const known = this.entries.get(id);
    if (known !== undefined) return known;
    const mail = await this.mail(id).catch(() => null);
    if (mail === null) return null;
    const { text: _text, html: _html, ...entry } = mail;
    this.entries.set(id, entry);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= LOOKED_AT_MAX) break;
      this.entries.delete(oldest);
    }
    return entry;
  }

  private async mail(id: number): Promise<KeptMail> {
    const file = join(this.folder, `${String(id).padStart(10, '0')}.eml`);
    const found = await stat(file).catch(() => null);
    if (found === null || found.size > BYTES_MAX) throw notThere();
    const { to, subject = '', date = '', text = '', html = '' } = await PostalMime.parse(await readFile(file));
    return {
      id,
      to: to?.[0]?.address ?? '',
      subject,
      created_at: iso(Date.parse(date) || found.mtimeMs),
      text,
      html,
    };
  }
}

const notThere = (): DomainError => new DomainError('NOT_FOUND', ACCESS_MESSAGES.mail_unknown);

function mayRead({ email, isAdmin, since }: Reader, { to, created_at }: MailboxEntry): boolean {
  if (isAdmin) return true;
  // the date of a mail has whole seconds
  return to.toLowerCase() === email.toLowerCase() && Date.parse(created_at) > since - SECOND_MS;
}
