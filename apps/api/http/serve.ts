import type { Call } from '@moorage/contracts';
import { createParamDecorator, Delete, type ExecutionContext, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, CallInput } from './call-input';
import { readInput } from './read-input';

const METHODS = { GET: Get, POST: Post, PATCH: Patch, PUT: Put, DELETE: Delete };

const Input = createParamDecorator((call: Call, context: ExecutionContext) =>
  readInput(
    call,
    context.switchToHttp().getRequest<FastifyRequest>(),
    context.switchToHttp().getResponse<FastifyReply>(),
  ),
);

/**
 * Serves a row of the table of calls. Method, path, status, access, validation and documentation all come from the row,
 * and the types of the method are checked against it. The method takes a single argument, the parsed `CallInput`, and
 * delegates.
 */
export function Serve<const C extends Call>(call: C) {
  return <M extends (input: CallInput<C>) => AnswerOf<C> | Promise<AnswerOf<C>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    METHODS[call.method](routePath(call.path))(target, key, descriptor);
    HttpCode(call.status)(target, key, descriptor);
    // Fastify stores the row with the route. The guard reads it there, and a route without a row stops the start.
    RouteConfig({ call })(target, key, descriptor);
    Input(call)(target, key, 0);
  };
}

/** Converts a path such as `/users/{id}/balance` to the syntax of the router. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
