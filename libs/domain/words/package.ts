/** What the manifests in infra/packages say of themselves and ask for; a test holds the two equal. */
export const PACKAGE_WORDS = {
  pangolin: 'Reverse proxy with identity-aware access and WireGuard tunnels to services you host anywhere.',
  pangolin_dashboard: 'Dashboard, API and identity-aware reverse proxy control plane',
  pangolin_tunnel: 'WireGuard tunnel server for sites and clients',
  pangolin_router: "Reverse proxy with Let's Encrypt and the Badger auth plugin",
  test_page: 'One static page, to try the platform without a domain.',
  test_page_page: 'A static page on port 80',
  domain: 'The domain you own, without https:// or a subdomain, e.g. example.com.',
  email: "Used for Let's Encrypt notices and as the first administrator's e-mail.",
  admin_subdomain: 'The dashboard will be at this name, e.g. admin.example.com.',
  admin_username: 'E-mail you will sign in with.',
  admin_password: 'At least 12 characters with upper- and lower-case letters, a number and a symbol.',
  setup_token: 'One-time code for creating the first Pangolin admin. Leave empty and we make one for you.',
  traefik_subdomain: 'Traefik dashboard, password protected.',
} as const;
