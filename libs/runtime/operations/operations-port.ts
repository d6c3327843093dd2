import { listenRefused, type Running } from '@moorage/server';
import { Controller, Get, Injectable, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  HealthCheck,
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import type { Settings } from '../settings';
import { Operations } from './operations';

const DATABASE_MS_MAX = 2_000;
const REQUEST_MS_MAX = 10_000;
/** The default of 10 ms wakes an idle service 100 times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

/** Conditions that must hold before this process receives requests or work. */
@Injectable()
class Indicators {
  constructor(
    private readonly operations: Operations,
    private readonly indicator: HealthIndicatorService,
  ) {}

  start(): HealthIndicatorResult {
    const session = this.indicator.check('start');
    const reason = this.operations.notServing;
    return reason === null ? session.up() : session.down(reason);
  }

  async database(): Promise<HealthIndicatorResult> {
    const session = this.indicator.check('database');
    if (!this.operations.isConnected) return session.down('not connected yet');
    return session
      .attempt(async () => {
        // The driver's message can contain addresses and values, so it is not used.
        const ready = await this.operations.isSchemaReady().catch(() => {
          throw new Error('the database does not respond');
        });
        if (!ready) throw new Error('the schema of this version does not exist yet');
      })
      .withTimeout(DATABASE_MS_MAX);
  }

  /**
   * Checked only until the transport was reached once. If the broker becomes unavailable later, the process still
   * serves and reports it (docs/adr/0031).
   */
  transport(carries: 'events' | 'work'): HealthIndicatorResult {
    const session = this.indicator.check(carries);
    const transports = this.operations.transports(carries);
    const transport = transports[0]?.transport;
    if (transport === undefined) return session.down('not open yet');
    const trouble = transports.find((one) => one.trouble !== null)?.trouble;
    const facts = { transport, ...(trouble == null ? {} : { message: trouble }) };
    return transports.every(({ reached }) => reached) ? session.up(facts) : session.down(facts);
  }
}

@Controller()
class OperationsController {
  constructor(
    private readonly operations: Operations,
    private readonly health: HealthCheckService,
    private readonly indicators: Indicators,
  ) {}

  @Get('health/live')
  live() {
    return { status: 'live' };
  }

  @Get('health/ready')
  @HealthCheck({ noCache: true, swaggerDocumentation: false })
  ready() {
    return this.health.check([
      () => this.indicators.start(),
      () => this.indicators.database(),
      () => this.indicators.transport('events'),
      () => this.indicators.transport('work'),
    ]);
  }

  @Get('metrics')
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.header('content-type', this.operations.metrics.registry.contentType);
    return this.operations.metrics.text();
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [OperationsController],
  providers: [Indicators],
})
class OperationsModule {}

/**
 * Opens the port for operators, from before the start of the process until after its end. Without OPERATIONS_PORT
 * nothing listens. `service` labels every series.
 *
 * @returns The URL of the port, or null without OPERATIONS_PORT.
 */
export async function openOperationsPort(
  operations: Operations,
  { service, settings: { HOST: host, OPERATIONS_PORT: port } }: { service: string; settings: OperationsSettings },
): Promise<Running & { readonly url: string | null }> {
  if (port === undefined) return { url: null, stop: () => Promise.resolve() };
  const { registry } = operations.metrics;
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: OperationsModule, providers: [{ provide: Operations, useValue: operations }] },
    new FastifyAdapter({ requestTimeout: REQUEST_MS_MAX, bodyLimit: 1_024 }),
    { logger: false, abortOnError: false },
  );
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw listenRefused(error as Error, { host, port, setting: 'OPERATIONS_PORT' });
  }
  return { url: await app.getUrl(), stop: () => app.close() };
}

type OperationsSettings = Pick<Settings, 'HOST' | 'OPERATIONS_PORT'>;
