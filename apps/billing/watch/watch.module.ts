import { Module } from '@nestjs/common';
import { Watch } from './watch.service';

@Module({ providers: [Watch], exports: [Watch] })
export class WatchModule {}
