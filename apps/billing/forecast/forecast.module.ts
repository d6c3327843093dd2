import { Module } from '@nestjs/common';
import { Forecast } from './forecast';

@Module({ providers: [Forecast], exports: [Forecast] })
export class ForecastModule {}
