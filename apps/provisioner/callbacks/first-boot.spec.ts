import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture, turn } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
const URL = 'https://console.example/api/webhooks/clouds';
let fixture: ProvisionerFixture;

describe('first boot of a new server', () => {
  beforeEach(async () => {
    fixture = await openFixture();
  });

  async function ordered(callbacksUrl: string | null): Promise<{ actor: FixtureActor; id: number }> {
    const actor = await fixture.actor({ options: { callbacksUrl } });
    const id = await fixture.order();
    while (await turn(actor));
    return { actor, id };
  }
  const fileOfCall = (): string => {
    const { write_files: files = [] } = parse(fixture.memory.userDataOf('1')) as {
      write_files?: { content: string }[];
    };
    return files.map(({ content }) => content).join('');
  };
  const tokenIn = (text: string): string | undefined => /Moorage-First-Boot: (\S+?)"/.exec(text)?.[1];
  const rows = () =>
    fixture.database.sql<{ token_hash: string }>(
      'select deployment_id, run_id, token_hash, used_at from first_boot_tokens',
    );

  it('is expected with a token of which only the hash is stored', async () => {
    const { id } = await ordered(URL);
    expect(fileOfCall()).toContain(`${URL}/hetzner`);
    const token = tokenIn(fileOfCall()) ?? '';
    expect(token).toMatch(new RegExp(`^${id}\\.[A-Za-z0-9_-]{43}$`));
    const hash = createHash('sha256').update(token).digest('base64url');
    expect(await rows()).toEqual([{ deployment_id: id, run_id: 1, token_hash: hash, used_at: null }]);
  });

  it('reuses the token when the server is requested again, so that the provider recognises the request', async () => {
    fixture.memory.fault('any', 'create', 'rate_limited', 1);
    const { actor, id } = await ordered(URL);
    const before = await rows();
    await fixture.until(actor, id, 'READY');
    expect(await rows()).toEqual(before);
    const hash = createHash('sha256')
      .update(tokenIn(fileOfCall()) ?? '')
      .digest('base64url');
    expect(before).toMatchObject([{ token_hash: hash }]);
  });

  it('is not expected without a public https address', async () => {
    const { actor, id } = await ordered(null);
    expect([tokenIn(fileOfCall()), await rows()]).toEqual([undefined, []]);
    await fixture.until(actor, id, 'READY');
  });

  it('is not expected for a create that began without it, so that its request stays the same', async () => {
    fixture.memory.fault('any', 'create', 'rate_limited', 1);
    const { id } = await ordered(null);
    const later = await fixture.actor({ options: { callbacksUrl: URL } });
    await fixture.until(later, id, 'READY');
    expect([tokenIn(fileOfCall()), await rows()]).toEqual([undefined, []]);
  });
});
