import { type DynamicModule, Module } from '@nestjs/common';
import type { Feature } from './feature';

/** Nest only wires: services are built by their `createX`, and a controller asks for the one it delegates to. */
@Module({})
export class ApiModule {
  static of(features: readonly Feature[]): DynamicModule {
    return {
      module: ApiModule,
      controllers: features.flatMap((feature) => [...feature.controllers]),
      providers: features.flatMap((feature) => [...feature.providers]),
    };
  }
}
