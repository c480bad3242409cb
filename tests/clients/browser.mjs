// Walks through `remember browse` in headless Chromium: node browser.mjs ADDRESS QUERY [PICTURE]
// Needs the npm packages @sparticuz/chromium and puppeteer-core beside it (NODE_PATH does not reach modules; run it from their folder).
import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/');
const chromium = (await import(require.resolve('@sparticuz/chromium'))).default;
const puppeteer = (await import(require.resolve('puppeteer-core'))).default;

const [address, query, picture] = process.argv.slice(2);
const need = (holds, what) => { if (!holds) throw new Error(what); };
const browser = await puppeteer.launch({ args: chromium.args, executablePath: await chromium.executablePath(), headless: 'shell' });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  const trouble = [];
  page.on('pageerror', error => trouble.push(String(error)));
  page.on('dialog', async dialog => { trouble.push('dialog: ' + dialog.message()); await dialog.dismiss(); });
  await page.goto(address);
  need(!page.url().includes('key='), 'the key stays in the address');
  const newest = await page.$$eval('article h3', rows => rows.map(row => row.textContent));
  need(newest.length, 'no memo on the first page');
  await page.type('input[type=search]', query);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  const found = await page.$$eval('article h3', rows => rows.map(row => row.textContent));
  const marks = await page.$$eval('mark', rows => rows.map(row => row.textContent));
  need(found.length && marks.length, 'the search finds or marks nothing');
  if (picture) await page.screenshot({ path: picture });
  await Promise.all([page.waitForNavigation(), page.click('article h3 a')]);
  need((await page.$eval('pre.memo', row => row.textContent)).length, 'the memo is empty');
  await page.goto(new URL('/', address).href);
  await Promise.all([page.waitForNavigation(), page.click('ul li a')]);
  need((await page.content()).includes('memo'), 'the index is not shown');
  need(!trouble.length, 'the pages ran something: ' + trouble.join('; '));
  console.log(JSON.stringify({ newest: newest.length, found, marks }));
} finally {
  await browser.close();
}
