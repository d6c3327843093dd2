import { ACCESS_MESSAGES, DomainError, RATE_LIMIT_MESSAGES, SECOND_MS } from '@moorage/domain';
import { Log } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Piscina } from 'piscina';
import { ApiSettings } from '../settings';
import type { DocumentFacts } from './document-facts';
import { documentPdf } from './document-pdf';

/**
 * Number of rendering threads. A document takes 250 ms of CPU, so rendering must neither block the event loop nor use
 * all cores.
 */
const THREADS_MAX = 2;
const WAITING_MAX = 50;
const DEADLINE_MS = 20 * SECOND_MS;
/**
 * Idle time after which the second thread ends. The first remains, because otherwise queued tasks would not be started.
 */
const IDLE_MS = 30 * SECOND_MS;
const RETRY_AFTER_S = 5;

/** Renders documents in worker threads: at most two at a time in this process, and one at a time for an account. */
@Injectable()
export class DocumentRenderer implements OnModuleDestroy {
  private pool: Promise<Piscina<DocumentFacts, Uint8Array>> | undefined;
  /** The last document that was requested for each account, while it is not finished. */
  private readonly last = new Map<number, Promise<unknown>>();
  private readonly rendering = new Map<number, Promise<Buffer>>();

  constructor(
    private readonly settings: ApiSettings,
    private readonly log: Log,
  ) {}

  /**
   * Renders a document as PDF. Requests for the same document share a rendering. Throws RATE_LIMITED when too many are
   * queued.
   */
  render({ documentId, accountId, facts }: { documentId: number; accountId: number; facts: DocumentFacts }) {
    const same = this.rendering.get(documentId);
    if (same !== undefined) return same;
    const before = this.last.get(accountId) ?? Promise.resolve();
    const rendered = before
      .catch(() => undefined)
      .then(() => this.renderNow(facts))
      .finally(() => {
        this.rendering.delete(documentId);
        if (this.last.get(accountId) === rendered) this.last.delete(accountId);
      });
    this.rendering.set(documentId, rendered);
    this.last.set(accountId, rendered);
    return rendered;
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  protected async renderNow(facts: DocumentFacts): Promise<Buffer> {
    const { documentWorker: file } = this.settings;
    if (file === null) return documentPdf(facts);
    const pool = await (this.pool ??= openPool(file));
    // The pool itself does not limit tasks with a deadline.
    if (pool.queueSize >= WAITING_MAX)
      throw new DomainError('RATE_LIMITED', RATE_LIMIT_MESSAGES.documents, { retry_after_s: RETRY_AFTER_S });
    try {
      return Buffer.from(await pool.run(facts, { signal: AbortSignal.timeout(DEADLINE_MS) }));
    } catch (error) {
      this.log.error('document rendering failed', { error, number: facts.number });
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.busy, { retry_after_s: RETRY_AFTER_S });
    }
  }
}

async function openPool(filename: string): Promise<Piscina<DocumentFacts, Uint8Array>> {
  const { Piscina: Pool } = await import('piscina');
  return new Pool({ filename, minThreads: 1, maxThreads: THREADS_MAX, maxQueue: WAITING_MAX, idleTimeout: IDLE_MS });
}
