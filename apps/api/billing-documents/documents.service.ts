import type { BillingDocumentAnswer, BillingDocumentsAnswer } from '@moorage/contracts';
import { auditLog, visibleTo } from '@moorage/database';
import { BILLING_DOCUMENT_MESSAGES, DomainError, iso, type Month, statementMonths } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { numberedPage } from '../http/numbered-page';
import { NO_ACCOUNT } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';
import { documentFacts } from './document-facts';
import { DocumentRenderer } from './document-renderer.service';
import { documentAnswer, DOCUMENT_COLUMNS, type DocumentRow } from './document-row';
import { IssueDocuments } from './issue-documents.use-case';

/** Statements of ten years. */
const STATEMENTS_MAX = 120;

interface Pages {
  readonly page: number;
  readonly per_page: number;
}

@Injectable()
export class DocumentsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly issue: IssueDocuments,
    private readonly renderer: DocumentRenderer,
  ) {}

  list({ userId }: Pick<Caller, 'userId'>, pages: Pages): Promise<BillingDocumentsAnswer> {
    return this.db.tx('documents.list', async (tx) => {
      // For payments that an earlier version posted.
      await this.issue.issueMissing(tx, userId);
      return readPage(tx, userId, pages);
    });
  }

  /** Lists the documents of an account for administrators. The documents of an erased account remain. */
  listOf(userId: number, pages: Pages): Promise<BillingDocumentsAnswer> {
    return this.db.tx('documents.list-of', async (tx) => {
      if (!(await usersRepository.exists(tx, userId))) throw NO_ACCOUNT;
      await this.issue.issueMissing(tx, userId);
      return readPage(tx, userId, pages);
    });
  }

  /**
   * Returns the document as PDF. It is rendered once and stored, because its facts never change. Throws the same
   * NOT_FOUND for a document that does not exist or belongs to another user.
   */
  async file(caller: Caller, id: number): Promise<{ name: string; content: Buffer }> {
    const {
      user_id: accountId,
      facts,
      content,
    } = await this.db.tx('documents.file', async (tx) => {
      const own = visibleTo(caller, { column: 'd.user_id', firstParameter: 2 });
      const [row] = await tx.query<{ user_id: number; facts: unknown; content: Buffer | null }>(
        `select d.user_id, d.facts, f.content from billing_documents d
         left join billing_document_files f on f.document_id = d.id where d.id = $1 and ${own.sql}`,
        [id, ...own.params],
      );
      if (row === undefined) throw new DomainError('NOT_FOUND', BILLING_DOCUMENT_MESSAGES.unknown);
      await this.recordRead(tx, caller, { documentId: id, ownerId: row.user_id });
      return { ...row, facts: documentFacts.parse(row.facts) };
    });
    const name = `${facts.number}.pdf`;
    if (content !== null) return { name, content };
    const rendered = await this.renderer.render({ documentId: id, accountId, facts });
    await this.db.tx('documents.store-file', async (tx) =>
      tx.execute(
        `insert into billing_document_files (document_id, content, rendered_at) values ($1, $2, $3)
         on conflict (document_id) do nothing`,
        [id, rendered, iso(await this.clock.now(tx))],
      ),
    );
    return { name, content: rendered };
  }

  /** Audits that staff read a customer's document. */
  private async recordRead(
    tx: Tx,
    { userId: actor }: Caller,
    { documentId, ownerId }: { documentId: number; ownerId: number },
  ): Promise<void> {
    if (actor === ownerId) return;
    const subject = `document:${documentId}`;
    const at = await this.clock.now(tx);
    await auditLog.recordRead(tx, { actor, action: 'document.read', subject, accountId: ownerId, facts: {}, at });
  }

  statements({ userId }: Caller): Promise<{ month: Month; document_id: number | null }[]> {
    return this.db.tx('documents.statements', async (tx) => {
      const at = await this.clock.now(tx);
      const account = await usersRepository.find(tx, userId, ['created_at']);
      if (account === null) throw NO_ACCOUNT;
      const issued = await tx.query<Pick<DocumentRow, 'id' | 'month'>>(
        `select id, to_char(month, 'YYYY-MM') as month from billing_documents where user_id = $1 and kind = 'statement'
         order by billing_documents.month desc limit ${STATEMENTS_MAX}`,
        [userId],
      );
      const ids = new Map(issued.map(({ id, month }) => [month, Number(id)]));
      return statementMonths({ since: account.created_at, at, most: STATEMENTS_MAX }).map((month) => ({
        month,
        document_id: ids.get(month) ?? null,
      }));
    });
  }

  issueStatement({ userId }: Caller, month: Month): Promise<BillingDocumentAnswer> {
    return this.db.tx('documents.issue-statement', async (tx) =>
      documentAnswer(await this.issue.issueStatement(tx, userId, month)),
    );
  }
}

async function readPage(tx: Tx, userId: number, { page, per_page }: Pages): Promise<BillingDocumentsAnswer> {
  const [counted] = await tx.query<{ total: number }>(
    'select count(*)::int as total from billing_documents where user_id = $1',
    [userId],
  );
  const rows = await tx.query<DocumentRow>(
    `select ${DOCUMENT_COLUMNS} from billing_documents where user_id = $1 order by id desc limit $2 offset $3`,
    [userId, per_page, (page - 1) * per_page],
  );
  return {
    documents: rows.map(documentAnswer),
    ...numberedPage({ page, perPage: per_page, total: counted?.total ?? 0 }),
  };
}
