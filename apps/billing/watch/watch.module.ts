import { Module } from '@nestjs/common';
import { Watch } from './watch';

@Module({ providers: [Watch], exports: [Watch] })
export class WatchModule {}
