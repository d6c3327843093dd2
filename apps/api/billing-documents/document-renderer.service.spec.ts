import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SILENT } from '@moorage/server';
import type { ApiSettings } from '../settings';
import type { DocumentFacts } from './document-facts';
import { DocumentRenderer } from './document-renderer.service';

const FACTS = { number: 'R-2026-000001' } as DocumentFacts;

/** Renders on command. */
class HeldRenderer extends DocumentRenderer {
  readonly started: DocumentFacts[] = [];
  private readonly waiting: (() => void)[] = [];

  protected override async renderNow(facts: DocumentFacts): Promise<Buffer> {
    this.started.push(facts);
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return Buffer.from(facts.number);
  }

  release(): void {
    this.waiting.shift()?.();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('document rendering', () => {
  it('is shared by requests for the same document, with one running per account', async () => {
    const renderer = new HeldRenderer({ documentWorker: null } as ApiSettings, SILENT);
    const render = (documentId: number, accountId: number) =>
      renderer.render({ documentId, accountId, facts: { ...FACTS, number: String(documentId) } });
    const [first, same, second, other] = [render(1, 7), render(1, 7), render(2, 7), render(3, 8)];
    await turn();
    expect(renderer.started.map(({ number }) => number)).toEqual(['1', '3']);
    renderer.release();
    expect([String(await first), String(await same)]).toEqual(['1', '1']);
    await turn();
    expect(renderer.started.map(({ number }) => number)).toEqual(['1', '3', '2']);
    renderer.release();
    renderer.release();
    expect([String(await other), String(await second)]).toEqual(['3', '2']);
  });
});

describe('worker threads', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'render-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('render outside the main thread and are replaced when one dies', async () => {
    const documentWorker = join(folder, 'worker.mjs');
    await writeFile(
      documentWorker,
      `import { isMainThread } from 'node:worker_threads';
       export default ({ number }) => {
         if (number === 'dies') process.exit(1);
         return Buffer.from(number + ' ' + isMainThread);
       };`,
    );
    const renderer = new DocumentRenderer({ documentWorker } as ApiSettings, SILENT);
    try {
      const render = (documentId: number, number: string) =>
        renderer.render({ documentId, accountId: documentId, facts: { ...FACTS, number } });
      expect(String(await render(1, 'one'))).toBe('one false');
      const dying = [2, 3].map((id) =>
        expect(render(id, 'dies')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      );
      const waiting = render(4, 'two');
      await Promise.all(dying);
      expect(String(await waiting)).toBe('two false');
    } finally {
      await renderer.onModuleDestroy();
    }
  });
});
