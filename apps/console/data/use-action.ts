import type { RouteAnswer } from '@moorage/contracts';
import { CONSTANTS, MINUTE_MS } from '@moorage/domain';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useDataProvider, useNotify } from 'react-admin';
import type { Action, ActionRequest } from './action';
import type { ActionName, ActionResource, ActionRoute } from './actions';
import { ACTIONS } from './actions';
import type { ConsoleDataProvider } from './data-provider';
import { reload } from './reload';
import { refusalOf } from './problem-message';
import { currentSession } from './session';

const keyOf = (request: unknown): string => JSON.stringify(request ?? {});

const REMEMBERED_MS = 5 * MINUTE_MS;

/** Complete texts of the result. Without one, the caller shows the result itself. */
interface Messages<Answer> {
  /** Toast after success. */
  readonly done?: string | ((answer: Answer) => string);
  /** Toast after an error: a fallback for when the server gives no reason the user could act on, or the whole text. */
  readonly failed?: string | ((error: Error) => string);
}

/** Argument of `mutate`. Optional if the request needs nothing. */
type Variables<Request> = Record<never, never> extends Request ? Request | void : Request;

/**
 * Returns the mutation of an action: sends its request through the data provider, shows its messages and reloads every
 * resource that it changes. The reload also follows an error, which means that the data shown is stale, and is not
 * awaited, so that the result shows first. Nothing is reloaded after an action that ended the session. The same request
 * is not sent again while its answer is pending, as by a double click.
 */
export function useAction<N extends ActionResource, A extends ActionName<N>>(
  resource: N,
  name: A,
  { done, failed }: Messages<RouteAnswer<ActionRoute<N, A>>> = {},
): UseMutationResult<RouteAnswer<ActionRoute<N, A>>, Error, Variables<ActionRequest<ActionRoute<N, A>>>> {
  type R = ActionRoute<N, A>;
  const client = useQueryClient();
  const notify = useNotify();
  const dataProvider = useDataProvider<ConsoleDataProvider>();
  const {
    apply,
    expect,
    changes = [],
    reloadAfterMs,
    changesNothing,
    isRemembered,
  } = ACTIONS[resource][name] as unknown as Action<R>;
  const show = (text: string, type: 'success' | 'error'): void =>
    notify(text, { type, autoHideDuration: CONSTANTS.toastMs, messageArgs: { _: text } });
  const reloadAll = (): void => {
    // Any change may resolve something that needs an administrator.
    reload(
      client,
      [resource, ...changes, 'platform'].map((each) => [each]),
    );
  };
  const mutation = useMutation<RouteAnswer<R>, Error, Variables<ActionRequest<R>>>({
    mutationKey: [resource, name],
    mutationFn: (request: Variables<ActionRequest<R>>) =>
      dataProvider.act(resource, name, (request ?? {}) as ActionRequest<R>),
    ...(isRemembered === true ? { gcTime: REMEMBERED_MS } : {}),
    onMutate(request) {
      expect?.(client, (request ?? {}) as ActionRequest<R>);
    },
    async onSuccess(answer, request) {
      await apply?.(client, answer, (request ?? {}) as ActionRequest<R>);
      if (done !== undefined) show(typeof done === 'string' ? done : done(answer), 'success');
    },
    onError(error) {
      if (failed !== undefined)
        show(typeof failed === 'string' ? (refusalOf(error) ?? failed) : failed(error), 'error');
    },
    onSettled(_answer, error) {
      if (currentSession() === null || changesNothing === true) return;
      // A failed action is still pending here, and a deployment is not reloaded while its removal is.
      if (error !== null) setTimeout(reloadAll);
      else if (reloadAfterMs !== undefined) setTimeout(reloadAll, reloadAfterMs);
      else reloadAll();
    },
  });
  const pending = useRef<{ readonly request: string; readonly answer: Promise<RouteAnswer<R>> } | null>(null);
  const pendingFor = (request: unknown) =>
    pending.current?.request === keyOf(request) ? pending.current.answer : null;
  const mutateAsync: typeof mutation.mutateAsync = (...args) => {
    const already = pendingFor(args[0]);
    if (already !== null) return already;
    const sent = { request: keyOf(args[0]), answer: mutation.mutateAsync(...args) };
    pending.current = sent;
    const end = (): void => {
      if (pending.current === sent) pending.current = null;
    };
    sent.answer.then(end, end);
    return sent.answer;
  };
  const mutate: typeof mutation.mutate = (...args) => {
    if (pendingFor(args[0]) === null) mutateAsync(...args).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}
