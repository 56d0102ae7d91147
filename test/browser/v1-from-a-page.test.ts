// The official clients on a page of another origin, in a real browser, against /v1.
import { createServer, type Server } from 'node:http';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, launchChromium } from '../support/browser/browser.ts';
import { type ChatGateway, startChatGateway } from '../support/http/chat-gateway.ts';
import { freePort } from '../support/free-port.ts';

const SCRIPT = `
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
const messages = [{ role: 'user', content: 'Hello' }];
const model = 'openai/gpt-5-mini';
window.ask = async (url, token) => {
  const openai = new OpenAI({ baseURL: url + '/v1', apiKey: token, dangerouslyAllowBrowser: true, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey: token, dangerouslyAllowBrowser: true, maxRetries: 0 });
  const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse();
  const streamed = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage();
  const refused = await openai.chat.completions.create({ model: 'none', messages }).catch(({ status, code }) => [status, code]);
  return { whole: data.choices[0].message.content, provider: response.headers.get('x-service-provider'), streamed: streamed.content[0].text, refused };
};`;

describeInBrowser('a page of another origin', () => {
  let gateway: ChatGateway;
  let browser: Browser;
  let pages: Server;
  let origins: { allowed: string; other: string };

  beforeAll(async () => {
    const port = await freePort();
    // One server, two origins: the name is part of it.
    origins = { allowed: `http://localhost:${port}`, other: `http://127.0.0.1:${port}` };
    gateway = await startChatGateway({ SERVICE_V1_CORS_ORIGINS: origins.allowed });
    const { outputFiles } = await build({
      stdin: { contents: SCRIPT, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
    });
    const script = outputFiles[0]?.text ?? '';
    pages = createServer((request, response) => {
      if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
      else response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>');
    });
    await new Promise<void>((resolve) => pages.listen(port, resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await gateway?.close();
  });

  const askFrom = async (origin: string): Promise<unknown> => {
    const member = await gateway.newMember();
    const page = await browser.newPage();
    await page.goto(origin);
    const answer = await page.evaluate(
      `ask(${JSON.stringify(gateway.url)}, ${JSON.stringify(await member.token())}).catch((error) => String(error))`,
    );
    await page.close();
    return answer;
  };

  it('is answered when the operator named it, and reads headers and errors', async () => {
    expect(await askFrom(origins.allowed)).toEqual({
      whole: 'Hello from the scripted model.',
      provider: 'openai',
      streamed: 'Hello from the scripted model.',
      refused: [404, 'model_not_found'],
    });
  });

  it('gets no answer when its origin is not configured', async () => {
    expect(await askFrom(origins.other)).toMatch(/connection error/i);
    expect(gateway.upstream.requests.length).toBe(2);
  });
});
