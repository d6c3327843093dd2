import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLOUD_NAMES, cloudSetup } from '@moorage/domain';
import { type ApiHarness, apiHarness } from '@moorage/tests/services/api/api-harness';

describe('installation details for the console', () => {
  let demo: ApiHarness;
  beforeAll(async () => {
    demo = await apiHarness();
  });
  afterAll(() => demo.close());

  it('are public and state what is simulated', async () => {
    const { status, body } = await demo.http.get('/api/console/settings');
    expect([status, body]).toEqual([
      200,
      {
        brand: {
          name: 'Moorage',
          tagline: 'Berths for software.',
          support_email: 'support@moorage.test',
          intro_video_url: null,
        },
        links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
        mode: 'demo',
        payments: 'test',
        mails: 'kept',
        clouds: 'sandbox',
        // A customer's own server has no simulated backups, and there is no backup target.
        backups: { new: Object.fromEntries(CLOUD_NAMES.map((name) => [name, 'simulated'])), own: 'off' },
        sandbox_domain: 'sandbox.localhost',
        platform_domain: null,
        allowed_zones: demo.settings.domainAllowedZones,
        private_servers: false,
        checkout_max: 1000,
        grace_period_minutes: 60,
        delete_undo_hours: 0,
        has_queue_board: false,
        client_key: null,
      },
    ]);
  });

  it('state real payments and clouds, include the public client key, and contain no secret', async () => {
    const secrets = {
      jwtSecret: 'jwt-secret-that-nobody-may-see-here',
      stripe: { secretKey: 'sk_live_secret', webhookSecrets: ['whsec_secret'], apiBase: null },
      mail: { from: 'x@moorage.test', url: 'smtp://user:smtp-secret@mail.example.com', folder: 'unused' },
      queues: { url: 'redis://user:redis-secret@127.0.0.1:1', password: 'redis-secret' },
    };
    const real = await apiHarness({
      beside: demo,
      settings: {
        ...secrets,
        clouds: cloudSetup({ sandbox: false, chosen: {} }),
        clientKeys: ['console-key', 'older-key'],
        brand: { ...demo.settings.brand, introVideoUrl: 'https://video.example/embed/1' },
        links: { ...demo.settings.links, terms: 'https://example.com/terms' },
      },
    });
    const { status, body, text } = await real.http.get('/api/console/settings');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      payments: 'stripe',
      mails: 'sent',
      clouds: 'live',
      backups: { new: { hetzner: 'off' }, own: 'off' },
      sandbox_domain: null,
      client_key: 'console-key',
      brand: { intro_video_url: 'https://video.example/embed/1' },
      links: { terms: 'https://example.com/terms', privacy: null },
    });
    for (const secret of ['jwt-secret', 'sk_live', 'whsec', 'smtp-secret']) expect(text).not.toContain(secret);
    await real.close();
  });
});
