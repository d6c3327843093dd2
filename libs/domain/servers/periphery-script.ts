import { checkPublicKeyLine } from '../deployment/ssh-key';
import { checkSshUser, ROOT_USER } from './ssh-user';

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
  /** User on the server as whom we log in. */
  readonly sshUser: string;
  /** Ports that the package needs besides SSH. */
  readonly ports: readonly OpenPort[];
}

/**
 * Returns the docker-compose file with which a customer grants access to their own server. Only a checked key, whole
 * numbers and fixed texts are inserted into it.
 *
 * @throws RangeError if the key, the user ID, the user's name or a port is invalid
 */
export function peripheryScript({ publicKey, userId, sshUser, ports }: PeripheryScript): string {
  const comment = userKeyComment(userId);
  const line = `${publicKey} ${comment}`;
  if (checkPublicKeyLine(line) !== null || !Number.isSafeInteger(userId) || userId < 1)
    throw new RangeError('not a public key line');
  if (checkSshUser(sshUser) !== null) throw new RangeError('not a user name');
  const keys = sshUser === ROOT_USER ? '/root/.ssh/authorized_keys' : `~${sshUser}/.ssh/authorized_keys`;
  return `# Lets us reach this server by SSH, so that your package can be installed on it.
# 1) If Docker is missing:  curl -fsSL https://get.docker.com | sudo sh
# 2) Save as docker-compose.yml on your server, then:  sudo docker compose up -d
# 3) Open in your provider's firewall: ${portList(ports)}
# To remove our access later: delete the line ending "${comment}" from ${keys}
services:
  ${AUTHORISE_SERVICE}:
    image: ${AUTHORISE_IMAGE}
    restart: "no"
    network_mode: none
    labels:
      - ${AUTHORISE_LABEL}
    environment:
      PLATFORM_KEY: "${line}"
${sshUser === ROOT_USER ? FOR_ROOT : forUser(sshUser)}`;
}

const ADD_LINE = `umask 077; touch /ssh/authorized_keys;
        [ -z "$$(tail -c 1 /ssh/authorized_keys)" ] || echo >> /ssh/authorized_keys;
        grep -qxF "$$PLATFORM_KEY" /ssh/authorized_keys || echo "$$PLATFORM_KEY" >> /ssh/authorized_keys;
        chmod 700 /ssh; chmod 600 /ssh/authorized_keys;`;

const FOR_ROOT = `    volumes:
      - /root/.ssh:/ssh
    command:
      - sh
      - -c
      - >-
        ${ADD_LINE} echo "Access granted"
`;

/** The folder is the home of the user's entry in /etc/passwd. Its new files belong to that user. */
const forUser = (user: string): string => `      PLATFORM_USER: "${user}"
    volumes:
      - /home:/home
      - /etc/passwd:/server/passwd:ro
    command:
      - sh
      - -c
      - >-
        entry="$$(awk -F : -v user="$$PLATFORM_USER" '$$1 == user' /server/passwd)"; home="$$(echo "$$entry" | cut -d : -f 6)";
        case "$$home" in /home/?*) ;; *) echo "No user $$PLATFORM_USER with a home below /home"; exit 1 ;; esac;
        mkdir -p "$$home/.ssh"; ln -sfn "$$home/.ssh" /ssh; ${ADD_LINE.replace('chmod 700 /ssh;', 'chmod 700 /ssh/.;')}
        chown "$$(echo "$$entry" | cut -d : -f 3,4)" /ssh/. /ssh/authorized_keys; echo "Access granted"
`;

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
