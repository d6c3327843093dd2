/** The smallest Pangolin order on a simulated server: H1 of the golden scenarios, 0.0356 an hour. */
export const ORDER = {
  package: 'pangolin',
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  support_level: 1,
  domain: 'example.com',
  admin_email: 'jane@example.com',
} as const;
