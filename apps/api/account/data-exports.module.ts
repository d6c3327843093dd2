import { Module } from '@nestjs/common';
import { DataExports } from './data-exports.service';
import { DataExportsController } from './data-exports.controller';
import { PrepareExport } from './prepare-export.use-case';

/** Exports of a user's own data. */
@Module({ controllers: [DataExportsController], providers: [DataExports, PrepareExport] })
export class DataExportsModule {}
