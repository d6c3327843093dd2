import { ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { readPackages } from './packages';
import { StackService } from './stack.service';
import { StackPackages } from './types';

@Module({
  providers: [
    {
      provide: StackPackages,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase) => readPackages(settings.PACKAGES_DIR),
    },
    StackService,
  ],
  exports: [StackService],
})
export class StacksModule {}
