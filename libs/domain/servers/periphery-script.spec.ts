import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { peripheryScript } from './periphery-script';

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGHrx5ezV/6ObVhpU63nRAYMUC3jWjVEMBRgASUTqDkN';

describe('script for an own server', () => {
  it('is a compose file with a single service that adds exactly the key line', () => {
    const text = peripheryScript({ publicKey, userId: 7, sshUser: 'root', ports: [] });
    const { services } = parse(text) as { services: Record<string, Record<string, unknown>> };
    expect(Object.keys(services)).toEqual(['authorize-platform']);
    expect(services['authorize-platform']).toMatchObject({
      network_mode: 'none',
      restart: 'no',
      volumes: ['/root/.ssh:/ssh'],
      environment: { PLATFORM_KEY: `${publicKey} moorage-user-7` },
    });
    expect(Object.keys(services['authorize-platform'] ?? {})).not.toContain('ports');
    // The key reaches the shell as a variable, never as text of the command.
    expect(JSON.stringify(services['authorize-platform']?.command)).not.toContain('AAAA');
  });

  it('adds the line for another user in the home of that user', () => {
    const text = peripheryScript({ publicKey, userId: 7, sshUser: 'deploy', ports: [] });
    const { services } = parse(text) as { services: Record<string, Record<string, unknown>> };
    expect(services['authorize-platform']).toMatchObject({
      volumes: ['/home:/home', '/etc/passwd:/server/passwd:ro'],
      environment: { PLATFORM_KEY: `${publicKey} moorage-user-7`, PLATFORM_USER: 'deploy' },
    });
    expect(text).toContain('from ~deploy/.ssh/authorized_keys');
    expect(JSON.stringify(services['authorize-platform']?.command)).not.toContain('deploy');
  });

  it('never contains another user name', () => {
    expect(() => peripheryScript({ publicKey, userId: 7, sshUser: 'a"; id', ports: [] })).toThrow(RangeError);
  });

  it('explains how to revoke the access and which ports to open', () => {
    const text = peripheryScript({
      publicKey,
      userId: 7,
      sshUser: 'root',
      ports: [
        { port: 443, proto: 'tcp' },
        { port: 80, proto: 'tcp' },
        { port: 51820, proto: 'udp' },
        { port: 22, proto: 'tcp' },
      ],
    });
    expect(text).toContain('22, 80, 443 tcp and 51820 udp\n');
    expect(text).toContain('delete the line ending "moorage-user-7" from /root/.ssh/authorized_keys');
  });

  it.each([
    ['a key with an option in front', `command="id" ${publicKey}`, 7],
    ['a key with a line break', `${publicKey}\n  privileged: true`, 7],
    ['a key with a quote', `${publicKey} x"`, 7],
    ['no user', publicKey, 0],
    ['an incomplete user', publicKey, 1.5],
  ])('%s is never written', (_, key, userId) => {
    expect(() => peripheryScript({ publicKey: key, userId, sshUser: 'root', ports: [] })).toThrow(RangeError);
  });
});
