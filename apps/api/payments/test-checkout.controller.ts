import { PAYMENTS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { PAGE_POLICY, TestCheckout } from './test-checkout.service';

@Controller()
export class TestCheckoutController {
  constructor(private readonly test: TestCheckout) {}

  @Serve(PAYMENTS_CALLS.testCheckoutPage)
  page({ params, query, reply }: CallInput<typeof PAYMENTS_CALLS.testCheckoutPage>) {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', PAGE_POLICY);
    return this.test.page(params.session_id, query.locale);
  }

  @Serve(PAYMENTS_CALLS.finishTestCheckout)
  async finish(input: CallInput<typeof PAYMENTS_CALLS.finishTestCheckout>) {
    const { params, query, body, idempotencyKey, header, reply } = input;
    const done = await this.test.finish(
      { sessionId: params.session_id, ...body, returnTo: query.return_to },
      idempotencyKey,
    );
    // A browser posts the page's form and is redirected. A script gets the response.
    if (header('content-type')?.startsWith('application/x-www-form-urlencoded') === true) {
      reply.status(303);
      // Without the origin, so that the browser stays on the host where the page was opened, localhost or 127.0.0.1.
      reply.header('location', pathOf(done.url));
    }
    return done;
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
