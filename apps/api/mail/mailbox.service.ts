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

interface StoredMail extends MailboxEntry {
  readonly text: string;
  readonly html: string;
}

/** Reader of the mailbox. Users read emails to their own address, administrators all. */
export interface Reader {
  readonly email: string;
  readonly isAdmin: boolean;
  /** Time at which the account got this address. Earlier emails were for another account. */
  readonly since: Instant;
}

const FILE_NAME = /^(\d{10})\.eml$/;
const LIST_MAX = 100;
const READ_MAX = 1_000;
const BYTES_MAX = 256 * 1024;

/** Emails in the folder of an installation without a mail server. */
@Injectable()
export class Mailbox {
  private readonly folder: string;

  constructor(settings: ApiSettings) {
    this.folder = settings.mail.folder;
  }

  /** Cached list entries. Emails never change, so each is parsed once. The oldest entries are evicted first. */
  private readonly entries = new Map<number, MailboxEntry>();

  /** Lists the newest hundred emails. */
  async list(reader: Reader): Promise<MailboxEntry[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names
      .map((name) => FILE_NAME.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => b - a)
      .slice(0, READ_MAX);
    const found: MailboxEntry[] = [];
    for (const id of ids) {
      const entry = await this.entry(id);
      if (entry !== null && mayRead(reader, entry)) found.push(entry);
      if (found.length === LIST_MAX) break;
    }
    return found;
  }

  /** Throws the same NOT_FOUND for an email that does not exist and for an email to another address. */
  async read(reader: Reader, id: number): Promise<StoredMail> {
    const found = await this.mail(id);
    if (!mayRead(reader, found)) throw notThere();
    return found;
  }

  /** Removes emails that were written before this instant. */
  async clean(before: number): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = join(this.folder, name);
      if (FILE_NAME.test(name) && (await stat(file)).mtimeMs < before) await rm(file, { force: true });
    }
  }

  /** Returns null if the email was removed in the meantime or is too large. */
  private async entry(id: number): Promise<MailboxEntry | null> {
    const known = this.entries.get(id);
    if (known !== undefined) return known;
    const mail = await this.mail(id).catch(() => null);
    if (mail === null) return null;
    const { text: _text, html: _html, ...entry } = mail;
    this.entries.set(id, entry);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= READ_MAX) break;
      this.entries.delete(oldest);
    }
    return entry;
  }

  private async mail(id: number): Promise<StoredMail> {
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
  // The date of an email has a resolution of seconds.
  return to.toLowerCase() === email.toLowerCase() && Date.parse(created_at) > since - SECOND_MS;
}
