import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const REFRESHES = 3;
const WAIT_MS_MAX = 60_000;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const at = '2026-11-21T12:00:00.000Z';

/** Returns twenty rows, one of them in progress, so that the list refreshes every eight seconds without changes. */
function deployments() {
  return Array.from({ length: 20 }, (_, index) => ({
    id: 1_000 - index,
    client_name: `ada-pangolin-${100_000 + index}`,
    client_id: `ada-pangolin-${100_000 + index}`,
    package: 'pangolin',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    server_type: 'new',
    support_level: 1,
    vps_ip_address: null,
    instance_ip: '203.0.113.4',
    komodo_host_ip: null,
    domain: 'harbour.example',
    admin_subdomain: 'admin',
    static_page_subdomain: null,
    status: index === 0 ? 'RESTARTING' : 'READY',
    status_label: index === 0 ? 'Restarting...' : 'Ready',
    failure_reason: null,
    failure: null,
    has_backups: false,
    access_link: 'https://admin.harbour.example',
    open_link: 'https://admin.harbour.example',
    actions: [],
    locked_reason: null,
    hourly_cost: 0.0356,
    daily_cost: 0.8544,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    grace_period_ends_at: null,
    deletion_locked: false,
    cancelling: false,
    move: null,
    ended: null,
    undo_until: null,
    worst_incident: null,
    server_unseen_since: null,
    progress: null,
    sandbox: true,
    version: 3,
    user_id: 7,
    postgres_host: null,
    postgres_user: null,
    postgres_password: { set: true },
    github_repo: null,
  }));
}

const user = {
  id: 7,
  username: 'ada',
  email: 'ada@example.com',
  is_admin: false,
  is_verified: true,
  balance: 20,
  created_at: at,
};

/** Counts changes of the page by refreshes without new data, with a simulated server. */
export async function mutationsOfSilentRefreshes({ folder, executablePath }) {
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    let lists = 0;
    await page.addInitScript((me) => {
      localStorage.setItem('access_token', 'bench');
      localStorage.setItem('user', JSON.stringify(me));
    }, user);
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (!pathname.startsWith('/api/')) {
        const file = join(folder, pathname);
        const found = extname(pathname) !== '' && existsSync(file) ? file : join(folder, 'index.html');
        return route.fulfill({
          body: readFileSync(found),
          contentType: TYPES[extname(found)] ?? 'application/octet-stream',
        });
      }
      const json = (body, headers = {}) => route.fulfill({ json: body, headers });
      if (/^\/api\/deployments\/?$/.test(pathname)) {
        lists += 1;
        return json(deployments(), { 'x-total-count': '20' });
      }
      if (pathname === '/api/deployments/counts') return json({ all: 20, needs_you: 0, in_progress: 1, ready: 19 });
      if (/^\/api\/(auth|users)\/me$/.test(pathname)) return json(user);
      if (pathname === '/api/deployments/packages')
        return json([
          {
            name: 'pangolin',
            display_name: 'Pangolin',
            description: '',
            description_texts: { en: '', de: '' },
            mark: [],
          },
        ]);
      if (pathname === '/api/deployments/cloud-providers')
        return json([{ name: 'hetzner', display_name: 'Hetzner Cloud' }]);
      // Other requests fail, and the screen must stay stable without them.
      return route.fulfill({ status: 503, json: { detail: 'not played', code: 'SERVICE_UNAVAILABLE' } });
    });
    await page.goto('http://console.localhost/dashboard');
    await page.getByText('ada-pangolin-100000').first().waitFor();
    await waitFor(() => lists >= 2, 'the first silent refresh');
    await page.evaluate(() => {
      const rows = document.querySelector('main') ?? document.body;
      const seen = [];
      Object.assign(window, { __mutations: seen });
      new MutationObserver((records) => {
        for (const { type, target } of records) seen.push(`${type} ${target.nodeName} ${target.className ?? ''}`);
      }).observe(rows, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    const before = lists;
    await waitFor(() => lists >= before + REFRESHES, `${REFRESHES} silent refreshes`);
    await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(() => resolve(true))));
    return await page.evaluate(() => window.__mutations);
  } finally {
    await browser.close();
  }
}

async function waitFor(condition, what) {
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`${what} did not come within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
