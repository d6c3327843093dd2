import { ServiceBase } from '@moorage/runtime';
import { Module } from '@nestjs/common';
import { readPackages } from './packages';
import { StackService } from './stack.service';
import { Packages } from './types';

@Module({
  providers: [
    {
      provide: Packages,
      inject: [ServiceBase],
      useFactory: ({ settings }: ServiceBase) => readPackages(settings.PACKAGES_DIR),
    },
    StackService,
  ],
  exports: [StackService],
})
export class StacksModule {}
