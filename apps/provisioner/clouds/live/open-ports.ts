/**
 * Ports of our servers that the provider's firewall opens to everyone. These are SSH, HTTP, the ports in the manifests
 * of the packages, and 8120, on which a customer's Komodo reaches its agent. The server's own firewall is narrower.
 */
export const OPEN_PORTS = [
  { protocol: 'tcp', ports: [22, 80, 443, 8120] },
  { protocol: 'udp', ports: [443, 21820, 51820] },
] as const;

/** The same rules, separated by protocol and port. */
export const OPEN_RULES = OPEN_PORTS.flatMap(({ protocol, ports }) => ports.map((port) => ({ protocol, port })));
