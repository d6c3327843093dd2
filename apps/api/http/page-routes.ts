import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Pages } from './pages';

/** Adds the pages that the shell serves next to the api, before the api's own routes. */
@Injectable()
export class PageRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Optional() private readonly pages?: Pages,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.pages?.add(this.host.httpAdapter.getInstance());
  }
}
