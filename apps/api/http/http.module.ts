import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module';
import { AccessGuard } from './access.guard';
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

/** Provides what every request passes: the guard, and the filter that answers errors. */
@Module({
  imports: [AuthModule],
  providers: [
    PageRoutes,
    ErrorsFilter,
    { provide: APP_FILTER, useExisting: ErrorsFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
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
