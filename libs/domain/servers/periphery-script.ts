import { checkPublicKeyLine } from '../deployment/ssh-key';

/**
 * Service and container that authorise the platform's key. Deleting a deployment on a customer's server removes the
 * container.
 */
export const AUTHORISE_SERVICE = 'authorize-platform';
export const AUTHORISE_IMAGE = 'docker.io/library/alpine:3.21';
export const AUTHORISE_LABEL = 'moorage.role=authorize-platform';

/** Returns the comment of a user's key line on customers' servers. A delete finds the line by this comment. */
export function userKeyComment(userId: number): string {
  return `moorage-user-${userId}`;
}

export interface OpenPort {
  readonly port: number;
  readonly proto: 'tcp' | 'udp';
}

export interface PeripheryScript {
  /** `type base64`, without a comment. */
  readonly publicKey: string;
  readonly userId: number;
  /** Ports that the package needs besides SSH. */
  readonly ports: readonly OpenPort[];
}

/**
 * Returns the docker-compose file with which a customer grants access to their own server. Only a checked key, whole
 * numbers and fixed texts are inserted into it.
 *
 * @throws RangeError if the key, the user ID or a port is invalid
 */
export function peripheryScript({ publicKey, userId, ports }: PeripheryScript): string {
  const comment = userKeyComment(userId);
  const line = `${publicKey} ${comment}`;
  if (checkPublicKeyLine(line) !== null || !Number.isSafeInteger(userId) || userId < 1)
    throw new RangeError('not a public key line');
  return `# Lets us reach this server by SSH, so that your package can be installed on it.
# 1) If Docker is missing:  curl -fsSL https://get.docker.com | sudo sh
# 2) Save as docker-compose.yml on your server, then:  sudo docker compose up -d
# 3) Open in your provider's firewall: ${portList(ports)}
# To remove our access later: delete the line ending "${comment}" from /root/.ssh/authorized_keys
services:
  ${AUTHORISE_SERVICE}:
    image: ${AUTHORISE_IMAGE}
    restart: "no"
    network_mode: none
    labels:
      - ${AUTHORISE_LABEL}
    environment:
      PLATFORM_KEY: "${line}"
    volumes:
      - /root/.ssh:/ssh
    command:
      - sh
      - -c
      - >-
        umask 077; touch /ssh/authorized_keys;
        [ -z "$$(tail -c 1 /ssh/authorized_keys)" ] || echo >> /ssh/authorized_keys;
        grep -qxF "$$PLATFORM_KEY" /ssh/authorized_keys || echo "$$PLATFORM_KEY" >> /ssh/authorized_keys;
        chmod 700 /ssh; chmod 600 /ssh/authorized_keys; echo "Access granted"
`;
}

/** Formats open ports as `22, 80, 443 tcp and 51820 udp`. SSH is always included. */
function portList(ports: readonly OpenPort[]): string {
  const of = (proto: OpenPort['proto']): string => {
    const numbers = ports.filter((open) => open.proto === proto).map(({ port }) => port);
    const all = [...new Set(proto === 'tcp' ? [22, ...numbers] : numbers)].sort((a, b) => a - b);
    if (!all.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) throw new RangeError('not a port');
    return all.length === 0 ? '' : `${all.join(', ')} ${proto}`;
  };
  return [of('tcp'), of('udp')].filter((text) => text !== '').join(' and ');
}
