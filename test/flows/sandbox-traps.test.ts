// Seven mistakes that look like a sandbox and are none. Each is made on purpose first, then shown not to be ours.
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { JUDGED, syscallNumber, type Architecture } from '../../src/sandbox/seccomp/syscalls.ts';
import {
  BWRAP,
  type ControllerProcess,
  isRoot,
  runIn,
  runOutside,
  startController,
  WAYS,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const BARE = `${BWRAP} --unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib $(test -e /lib64 && echo --symlink usr/lib64 /lib64) --proc /proc --dev /dev`;
const VSOCK = `perl -e 'print(syscall(${syscallNumber(JUDGED.socket, process.arch as Architecture)}, 40, 1, 0) >= 0 ? "WORKED" : "refused")'`;
const PLANTED = `postgresql://service:planted-${process.pid}-${Date.now()}@db/service`;

/** Every file but those of /usr that are older than the controller. Page maps hold numbers of pages, devices what they make up, both without end. */
const SEARCH = `
printf 'postgresql://service:planted%s' "\${1#*lanted}" >/workspace/control
{ find / -not -path '/usr/*' -not -name pagemap -not -path /opt/service/node -not -path '/dev/[!s]*' -type f -readable -print0; find /usr -mmin -60 -type f -readable -print0; } 2>/dev/null |
  xargs -0 grep -aEls -e "$1"
env | grep -aE -e "$1"
echo searched`;

for (const way of WAYS)
  describe(`the sandbox ${way.name}`, leaveOut(way.leftOut), () => {
    let controller: ControllerProcess;
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'service-sandbox-traps-'));
      await chmod(directory, 0o755);
      await writeFile(join(directory, 'leaked'), 'a descriptor that leaked');
      controller = await startController({
        ...way.options,
        environment: { SERVICE_UPSTREAM_DB: PLANTED },
        before: `exec 9<${directory}/leaked 33<${directory}/leaked`,
      });
    });
    afterAll(async () => {
      await controller?.remove();
      await rm(directory, { recursive: true, force: true });
    });

    const inside = (script: string): Promise<string> =>
      withSandbox(controller.client, {}, async (id) => (await runIn(controller.client, id, script)).stdout);

    it('does not read what root may read', async () => {
      if (isRoot)
        expect((await runOutside(`${BWRAP} --ro-bind / / head -c 4 /etc/shadow && echo WORKED`)).stdout).toContain(
          'WORKED',
        );
      expect(await inside('head -c 4 /etc/shadow && echo WORKED; ls -d /root /home/* /var/lib /work 2>/dev/null')).toBe(
        '/home/agent\n',
      );
    });

    it("does not show the service's environment as that of its first process", async () => {
      expect((await runOutside(`${BARE} --clearenv cat /proc/1/environ`, { TRAP: 'shown' })).stdout).toContain(
        'TRAP=shown',
      );
      expect(await inside('cat /proc/1/environ | wc -c; tr "\\0" "\\n" <"/proc/1/cmdline"')).toMatch(
        /^0\n(?!.*--setenv)/s,
      );
    });

    it("keeps its environment out of the machine's process list", async () => {
      const secret = `in-the-list-${process.pid}`;
      expect(
        (
          await runOutside(
            `${BARE} --die-with-parent --setenv TRAP ${secret} sleep 5 >/dev/null 2>&1 & sleep 0.3; grep -l ${secret.slice(0, 11)} /proc/[0-9]*/cmdline | wc -l; kill %1`,
          )
        ).stdout.trim(),
      ).not.toBe('0');
      await withSandbox(controller.client, { env: { TRAP: secret } }, async (id) => {
        let list: string[] = [];
        let said = '';
        for await (const event of controller.client.exec(id, {
          argv: ['bash', '-c', 'echo "$TRAP"; sleep 600'],
          env: { MORE: secret },
        })) {
          if (event.t !== 'out') continue;
          said = event.d;
          list = readdirSync('/proc')
            .filter((name) => /^\d+$/.test(name))
            .map((pid) => read(`/proc/${pid}/cmdline`));
          break;
        }
        expect(said).toContain(secret);
        expect(list.filter((line) => line.includes('sleep 600'))).not.toEqual([]);
        expect(list.filter((line) => line.includes(secret))).toEqual([]);
      });
    });

    it('opens no socket to the hypervisor, which no network namespace closes', async () => {
      expect((await runOutside(`${BARE} ${VSOCK}`)).stdout).toBe('WORKED');
      expect(await inside(VSOCK)).toBe('refused');
    });

    it('inherits no descriptor that leaked into the controller', async () => {
      const outside = await runOutside(`exec 9<${directory}/leaked 33<${directory}/leaked; ${BARE} ls /proc/self/fd`);
      expect(outside.stdout.split('\n')).toEqual(expect.arrayContaining(['9', '33']));
      expect(readdirSync(`/proc/${controller.child.pid}/fd`)).toContain('33');
      // The fourth is the listing itself.
      expect(await inside('ls /proc/self/fd')).toBe('0\n1\n2\n3\n');
    });

    it('cannot write into its root directory', async () => {
      expect((await runOutside(`${BARE} sh -c 'echo x >/file && echo WORKED'`)).stdout).toContain('WORKED');
      expect(
        await inside(
          'for d in / /etc /dev /usr /opt /opt/service /opt/tools /var /home /run; do echo x 2>/dev/null >$d/file && echo "$d WORKED"; done; echo x >/workspace/file && echo workspace',
        ),
      ).toBe('workspace\n');
    });

    it('lets no link that a run plants lead a reader outside', async () => {
      const secret = join(directory, 'secret');
      await writeFile(secret, 'not yours');
      await mkdir(join(directory, 'naive'));
      await runOutside(`ln -s ${secret} ${directory}/naive/link`);
      expect(await readFile(join(directory, 'naive', 'link'), 'utf8')).toBe('not yours');
      await withSandbox(controller.client, {}, async (id) => {
        await runIn(
          controller.client,
          id,
          `mkdir real; echo mine >real/file; ln -s ${secret} link; ln -s ${directory} above; ln -s /etc etc; ln -s real within; mkfifo pipe; ln -s real/file inside`,
        );
        expect((await controller.client.readFile(id, 'real/file')).toString()).toBe('mine\n');
        for (const path of [
          'link',
          'above/secret',
          'etc/shadow',
          'etc/passwd',
          'within/file',
          'inside',
          'pipe',
          '../disk',
          '/etc/passwd',
          'real/../../../../etc/passwd',
        ]) {
          await expect(controller.client.readFile(id, path), path).rejects.toThrow(/invalid_request|not_found/);
        }
        for (const path of ['above/planted', 'etc/planted', 'within/planted', '../planted'])
          await expect(controller.client.writeFile(id, path, 'x'), path).rejects.toThrow(/invalid_request|not_found/);
        // Writing over a link replaces the link, not what it points to.
        await controller.client.writeFile(id, 'link', 'ours');
        expect((await controller.client.readFile(id, 'link')).toString()).toBe('ours');
        expect(await readFile(secret, 'utf8')).toBe('not yours');
      });
    });

    it("holds no byte of the service's database URL anywhere it can read", async () => {
      expect(readFileSync(`/proc/${controller.child.pid}/environ`, 'utf8')).toContain(PLANTED);
      const outcome = await withSandbox(controller.client, { network: { allow: ['example.org:443'] } }, (id) =>
        runIn(controller.client, id, {
          argv: ['bash', '-c', SEARCH, 'search', PLANTED.replace('planted', '[p]lanted')],
        }),
      );
      expect(outcome.stdout).toBe('/workspace/control\nsearched\n');
    });
  });

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
