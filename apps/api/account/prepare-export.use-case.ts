import { EXPORT_DATA } from '@moorage/contracts';
import { DataExport, type User } from '@moorage/database';
import {
  CONSTANTS,
  DATA_EXPORT_MESSAGES,
  DAY_MS,
  type Instant,
  iso,
  type Language,
  type Message,
} from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { moment, renderMessage } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { Mails } from '../mail/mails.service';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { PREPARING_MS_MAX } from './data-exports.service';
import { csvHead, csvLines } from './export-csv';
import {
  ACCOUNT_COLUMNS,
  type Column,
  EXPORT_LISTS,
  type Limits,
  readList,
  selected,
  type Shown,
  shownRow,
} from './export-lists';
import { ZipArchive } from './zip-archive';

/** Pages are short because each is compressed synchronously while other calls wait. */
const LIMITS: Limits = { page_rows: 1_000, list_rows_max: 200_000 };

interface RequestedExport
  extends Pick<DataExport, 'id' | 'user_id' | 'created_at'>, Pick<User, 'username' | 'language'> {
  readonly is_active: boolean;
}

@Injectable()
export class PrepareExport {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mails: Mails,
    private readonly settings: ApiSettings,
  ) {}

  /** Builds the archive, then stores it and emails its owner in one transaction. Idempotent when started again. */
  @HandlesWork(EXPORT_DATA, { concurrency: 1 })
  async run({ key }: Pick<Claim, 'key'>, signal: AbortSignal): Promise<Outcome> {
    const { requested, now } = await this.db.tx('export.read', async (tx) => ({
      requested: await readRequest(tx, Number(key)),
      now: await this.clock.now(tx),
    }));
    if (requested === null) return { done: true };
    const giveUp = (tx: Tx): Promise<void> => fail(tx, requested.id);
    if (!requested.is_active) return { done: true, commit: giveUp };
    if (requested.created_at <= now - PREPARING_MS_MAX)
      return { failed: 'it could not be prepared within an hour', commit: giveUp };
    const content = await this.build(requested, now, signal);
    return { done: true, commit: (tx) => this.store(tx, requested, content) };
  }

  /** Reads everything in the same snapshot. */
  private build(requested: RequestedExport, now: Instant, signal: AbortSignal): Promise<Buffer> {
    const { brand } = this.settings;
    return this.db.tx('export.build', async (tx) => {
      await tx.execute('set transaction isolation level repeatable read, read only');
      return archiveOf(tx, { ...requested, brand: brand.name, at: now, limits: LIMITS, signal });
    });
  }

  private async store(tx: Tx, { id, user_id }: RequestedExport, content: Buffer): Promise<void> {
    // Locked, so that the account cannot be deactivated in the meantime.
    const which = { state: 'active', lock: 'for no key update' } as const;
    const account = await usersRepository.find(tx, user_id, ['username', 'email', 'language'], which);
    if (account === null) return fail(tx, id);
    const { affected } = await tx
      .repository(DataExport)
      .update({ id, state: 'preparing' }, { state: 'ready', content, ready_at: await this.clock.now(tx) });
    if (affected !== 1) return;
    const { username, email, language } = account;
    await this.mails.post(tx, {
      cause: `export:${id}`,
      recipient: email,
      language,
      template: 'export_ready',
      facts: { username, days: CONSTANTS.dataExportRetentionMs / DAY_MS },
    });
  }
}

/** Returns the export and its account, or null if there is nothing to prepare. */
async function readRequest(tx: Tx, id: number): Promise<RequestedExport | null> {
  const [row] = await tx.query<RequestedExport>(
    `select e.id, e.user_id, e.created_at, u.username, u.language,
       u.deactivated_at is null and u.erased_at is null as is_active
     from data_exports e join users u on u.id = e.user_id where e.id = $1 and e.state = 'preparing'`,
    [id],
  );
  return row ?? null;
}

async function fail(tx: Tx, id: number): Promise<void> {
  await tx.repository(DataExport).update({ id, state: 'preparing' }, { state: 'failed' });
}

/** Builds the archive: README.txt, account.json with everything, and a CSV file for each list. */
export async function archiveOf(
  tx: Tx,
  of: Pick<RequestedExport, 'user_id' | 'username' | 'language'> & {
    readonly brand: string;
    readonly at: Instant;
    readonly limits: Limits;
    readonly signal: AbortSignal;
  },
): Promise<Buffer> {
  const { user_id: userId, limits, signal } = of;
  const archive = new ZipArchive(of.at);
  const readme = archive.file('README.txt');
  const json = archive.file('account.json');
  json.write(
    `{\n"exported_at": ${JSON.stringify(iso(of.at))},\n"account": ${JSON.stringify(await readAccount(tx, userId))}`,
  );
  const files: { name: string; about: readonly Message[] }[] = [];
  for (const list of EXPORT_LISTS) {
    const { columns, about } = list;
    const name = `${list.name.replaceAll('_', '-')}.csv`;
    const csv = archive.file(name);
    csv.write(csvHead(columns));
    json.write(`,\n"${list.name}": [`);
    let isFirst = true;
    const isWhole = await readList(tx, list, { userId, limits, signal }, (rows) => {
      if (rows.length === 0) return;
      csv.write(csvLines(columns, rows));
      json.write(`${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(named(columns, row))).join(',\n')}`);
      isFirst = false;
    });
    csv.end();
    json.write('\n]');
    const cut = isWhole ? [] : [DATA_EXPORT_MESSAGES.cut({ most: limits.list_rows_max })];
    files.push({ name, about: [about, ...cut] });
  }
  json.write('\n}\n');
  json.end();
  readme.write(readmeText(of, [{ name: 'account.json', about: [DATA_EXPORT_MESSAGES.everything] }, ...files]));
  readme.end();
  return archive.bytes();
}

async function readAccount(tx: Tx, userId: number): Promise<object> {
  const [row] = await tx.query<Record<string, unknown>>(
    `select ${ACCOUNT_COLUMNS.map(selected).join(', ')} from users u left join wallets w on w.user_id = u.id where u.id = $1`,
    [userId],
  );
  if (row === undefined) throw new Error('the account of the data export does not exist');
  return named(ACCOUNT_COLUMNS, shownRow(ACCOUNT_COLUMNS, row));
}

const named = (columns: readonly Column[], row: readonly Shown[]): object =>
  Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]));

function readmeText(
  { username, brand, at, language }: { username: string; brand: string; at: Instant; language: Language },
  files: readonly { readonly name: string; readonly about: readonly Message[] }[],
): string {
  const render = (message: Message): string => renderMessage(message, language);
  const { title, how, secrets } = DATA_EXPORT_MESSAGES;
  const paragraphs = [
    render(title({ username, brand, at: moment(iso(at)) })),
    render(how),
    files.map(({ name, about }) => `${name}: ${about.map(render).join(' ')}`).join('\r\n'),
    render(secrets),
  ];
  return `${paragraphs.join('\r\n\r\n')}\r\n`;
}
