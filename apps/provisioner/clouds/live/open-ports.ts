/**
 * What the firewall of a provider lets through to our servers, from everywhere: SSH, HTTP, what the manifests of the
 * packages list, and 8120, where a Komodo that the customer runs reaches its agent. The server's own firewall is narrower.
 */
export const OPEN_PORTS = [
  { protocol: 'tcp', ports: [22, 80, 443, 8120] },
  { protocol: 'udp', ports: [443, 21820, 51820] },
] as const;

/** Every rule by itself: one protocol and one port. */
export const OPEN_RULES = OPEN_PORTS.flatMap(({ protocol, ports }) => ports.map((port) => ({ protocol, port })));
