import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';
import pg from 'pg';
import { until } from '../../testing';
import type { KafkaServers, RedisServer } from '../servers';
import type { Identity } from './certificates';
import { type Line, openLine } from './line';

/**
 * A real server in a container, on this machine's loopback. The containers use the host network, because testcontainers
 * only publishes ports on every address. Each server is reached through a proxy that a test can disrupt. It keeps its
 * port and its data when it is killed and started again, and is removed by `stop`.
 */
export interface Server {
  readonly line: Line;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Freezes the server with its connections open. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Runs a command and returns its output. Throws if it fails. */
  exec(command: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

const START_MS = 120_000;

async function start({
  image,
  port,
  command,
  files = [],
  environment = {},
  line,
}: {
  readonly image: string;
  /** Port on which the container listens. */
  readonly port: number;
  readonly line: Line;
  readonly command: readonly string[];
  readonly files?: File[];
  readonly environment?: Record<string, string>;
}): Promise<Server> {
  const started = await new GenericContainer(image)
    .withNetworkMode('host')
    .withEnvironment(environment)
    .withCopyContentToContainer(files)
    .withCommand([...command])
    .start()
    .catch(async (error: unknown) => {
      await line.down();
      throw error;
    });
  const container = (await getContainerRuntimeClient()).container.getById(started.getId());
  const answering = (): Promise<void> => until(() => accepts(port), START_MS);
  await answering();
  return {
    line,
    async kill() {
      await line.down();
      await container.kill();
      await container.wait();
    },
    async start() {
      await container.start();
      await answering();
      await line.up();
    },
    pause: async () => void (await container.pause()),
    unpause: async () => void (await container.unpause()),
    async exec(command) {
      const { exitCode, output } = await started.exec([...command]);
      if (exitCode !== 0) throw new Error(`${command[0]} exited with ${exitCode}: ${output}`);
      return output;
    },
    async stop() {
      await line.down();
      await container.remove({ force: true, v: true });
    },
  };
}

export interface RedisContainer extends Server {
  readonly server: RedisServer;
  /** Port of the server itself, without the proxy. */
  readonly port: number;
}

export async function startRedis({
  password,
  tls,
}: { readonly password?: string; readonly tls?: Identity } = {}): Promise<RedisContainer> {
  const port = await freePort();
  const line = await openLine(port);
  const server = await start({
    image: 'redis:7',
    port,
    line,
    command: [
      'redis-server',
      ...['--bind', '127.0.0.1'],
      // Persists every write, so that data survives a kill.
      ...['--appendonly', 'yes', '--appendfsync', 'always'],
      ...(password === undefined ? [] : ['--requirepass', password]),
      ...(tls === undefined
        ? ['--port', `${port}`]
        : ['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no']),
      ...(tls === undefined ? [] : ['--tls-cert-file', '/tls/cert.pem', '--tls-key-file', '/tls/key.pem']),
      ...(tls === undefined ? [] : ['--tls-ca-cert-file', '/tls/ca.pem']),
    ],
    files:
      tls === undefined
        ? []
        : Object.entries(tls).map(([name, content]: [string, string]) => file(`/tls/${name}.pem`, content)),
  });
  return {
    ...server,
    port,
    server: {
      url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${line.port}`,
      ...(password === undefined ? {} : { password }),
      ...(tls === undefined ? {} : { ca: tls.ca }),
    },
  };
}

/** Starts Redis with the configuration of the Docker stack. `cli` returns the output of redis-cli. */
export async function startRedisOf(
  conf: string,
): Promise<Server & { readonly url: string; cli(command: readonly string[]): Promise<string> }> {
  const port = await freePort();
  const line = await openLine(port);
  const server = await start({
    image: 'redis:7',
    port,
    line,
    command: ['redis-server', '/redis/redis.conf', '--bind', '127.0.0.1', '--port', `${port}`],
    files: [file('/redis/redis.conf', `${conf}\n`)],
  });
  return {
    ...server,
    url: `redis://127.0.0.1:${line.port}`,
    // An error reply is output as well.
    cli: (command) => server.exec(['sh', '-c', 'redis-cli "$@" || true', 'cli', '-p', `${port}`, ...command]),
  };
}

export interface KafkaContainer extends Server {
  readonly servers: KafkaServers;
  /** Listener without a login or access control, for the test's own checks. */
  readonly inside: KafkaServers;
}

/** Starts a single node with a heap of 512 MB. With `login`, clients use TLS and log in. */
export async function startKafka({
  login,
  tls,
}: { readonly login?: NonNullable<KafkaServers['login']>; readonly tls?: Identity } = {}): Promise<KafkaContainer> {
  const [port, inside, controller] = [await freePort(), await freePort(), await freePort()];
  const protocol = `${login === undefined ? '' : 'SASL_'}${tls === undefined ? 'PLAINTEXT' : 'SSL'}`;
  const line = await openLine(port);
  const sasl = login?.mechanism.toUpperCase();
  const properties = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `CLIENT://127.0.0.1:${port},INSIDE://127.0.0.1:${inside},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `CLIENT://127.0.0.1:${line.port},INSIDE://127.0.0.1:${inside}`,
    'listener.security.protocol.map': `CLIENT:${protocol},INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'INSIDE',
    'log.dirs': '/tmp/kafka-data',
    'group.initial.rebalance.delay.ms': '0',
    'auto.create.topics.enable': 'false',
    'default.replication.factor': '1',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    ...(sasl === undefined
      ? {}
      : {
          'listener.name.client.sasl.enabled.mechanisms': sasl,
          [`listener.name.client.${sasl.toLowerCase()}.sasl.jaas.config`]:
            sasl === 'PLAIN'
              ? `org.apache.kafka.common.security.plain.PlainLoginModule required user_${login?.username}="${login?.password}";`
              : 'org.apache.kafka.common.security.scram.ScramLoginModule required;',
        }),
    ...(tls === undefined
      ? {}
      : {
          'listener.name.client.ssl.keystore.type': 'PEM',
          'listener.name.client.ssl.keystore.location': '/tmp/kafka/server.pem',
        }),
  };
  const user =
    sasl?.startsWith('SCRAM') === true
      ? ` --add-scram '${sasl}=[name=${login?.username},password=${login?.password}]'`
      : '';
  const server = await start({
    image: 'apache/kafka:4.1.0',
    port,
    line,
    command: [
      'bash',
      '-c',
      `[ -e /tmp/kafka-data/meta.properties ] ||
        /opt/kafka/bin/kafka-storage.sh format -t TW9vcmFnZSB0ZXN0cy4uLg -c /tmp/kafka/server.properties${user}
      exec /opt/kafka/bin/kafka-server-start.sh /tmp/kafka/server.properties`,
    ],
    environment: { KAFKA_HEAP_OPTS: '-Xmx512m' },
    files: [
      file(
        '/tmp/kafka/server.properties',
        Object.entries(properties)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),
      ...(tls === undefined ? [] : [file('/tmp/kafka/server.pem', `${tls.key}\n${tls.cert}\n`)]),
    ],
  });
  return {
    ...server,
    servers: {
      brokers: [`127.0.0.1:${line.port}`],
      ...(tls === undefined ? {} : { tls: { ca: tls.ca } }),
      ...(login === undefined ? {} : { login }),
    },
    inside: { brokers: [`127.0.0.1:${inside}`] },
  };
}

/**
 * Starts Kafka with the configuration of the Docker stack and the permissions that its script sets. Its log is
 * `/tmp/broker.log`.
 */
export async function startKafkaOf(stack: {
  readonly properties: string;
  readonly admin: string;
  readonly access: string;
}): Promise<Server & { readonly brokers: readonly string[] }> {
  const [port, controller] = [await freePort(), await freePort()];
  const line = await openLine(port);
  const properties = stack.properties
    .replace(
      'CLIENT://:9092,CONTROLLER://localhost:9093',
      `CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    )
    .replace('1@localhost:9093', `1@127.0.0.1:${controller}`)
    .replace('CLIENT://kafka:9092', `CLIENT://127.0.0.1:${line.port}`)
    .replace('/var/lib/kafka/data', '/tmp/kafka-data');
  const server = await start({
    image: 'apache/kafka:4.1.0',
    port,
    line,
    command: [
      'bash',
      '-c',
      `[ -e /tmp/kafka-data/meta.properties ] ||
        /opt/kafka/bin/kafka-storage.sh format -t TW9vcmFnZSB0ZXN0cy4uLg -c /tmp/kafka/server.properties
      sh /tmp/kafka/access.sh &
      exec /opt/kafka/bin/kafka-server-start.sh /tmp/kafka/server.properties > /tmp/broker.log 2>&1`,
    ],
    environment: {
      KAFKA_HEAP_OPTS: '-Xmx512m',
      KAFKA_BOOTSTRAP: `127.0.0.1:${port}`,
      KAFKA_ADMIN: '/tmp/kafka/admin.properties',
    },
    files: [
      file('/tmp/kafka/server.properties', properties),
      file('/tmp/kafka/admin.properties', stack.admin),
      file('/tmp/kafka/access.sh', stack.access),
    ],
  });
  const isReady = (): Promise<boolean> =>
    server.exec(['test', '-e', '/tmp/access-is-set']).then(
      () => true,
      () => false,
    );
  await until(isReady, START_MS);
  return { ...server, brokers: [`127.0.0.1:${line.port}`] };
}

export interface PostgresContainer extends Server {
  /** URL of the owner role. */
  readonly url: string;
}

export async function startPostgres(): Promise<PostgresContainer> {
  const port = await freePort();
  const line = await openLine(port);
  const server = await start({
    image: 'postgres:18',
    port,
    line,
    command: ['postgres', '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300'],
    environment: { POSTGRES_USER: 'moorage', POSTGRES_PASSWORD: 'moorage', POSTGRES_DB: 'moorage' },
  });
  const url = `postgres://moorage:moorage@127.0.0.1:${line.port}/moorage`;
  // The first start creates the cluster on a socket only, then restarts.
  await until(() => answers(url), START_MS);
  return { ...server, url };
}

interface File {
  readonly target: string;
  readonly content: string;
  readonly mode: number;
}

const file = (target: string, content: string): File => ({ target, content, mode: 0o644 });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
