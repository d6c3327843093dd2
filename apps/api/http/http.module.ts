import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { AnswerCheck } from './answer-check.interceptor';
import { ErrorsFilter } from './errors.filter';
import { PageRoutes } from './page-routes';
import { Pages } from './pages';

export interface HttpOptions {
  /** Pages served next to /api: the built console. */
  readonly pages?: Pages | undefined;
  /** Compares every response with its row. Tests only. */
  readonly checkAnswers?: boolean | undefined;
}

/** Provides the pages and the filter that answers errors. The guard of every request is in the auth module. */
@Module({ providers: [PageRoutes, ErrorsFilter, { provide: APP_FILTER, useExisting: ErrorsFilter }] })
export class HttpModule {
  static of({ pages, checkAnswers = false }: HttpOptions = {}): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        ...(pages === undefined ? [] : [{ provide: Pages, useValue: pages }]),
        ...(checkAnswers ? [{ provide: APP_INTERCEPTOR, useClass: AnswerCheck }] : []),
      ],
    };
  }
}
