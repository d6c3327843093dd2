import { Module } from '@nestjs/common';
import { DataExports } from './data-exports';
import { DataExportsController } from './data-exports.controller';
import { PrepareExport } from './prepare-export';

/** Exports of a user's own data. */
@Module({ controllers: [DataExportsController], providers: [DataExports, PrepareExport] })
export class DataExportsModule {}
