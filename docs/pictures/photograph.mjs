// Photograph the top of a page in headless Chromium: node docs/pictures/photograph.mjs PAGE PICTURE MODULES
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [page, picture, modules] = process.argv.slice(2).map((path) => resolve(path))
const load = async (name) => {
  const found = createRequire(`${modules}/`).resolve(name)
  return (await import(pathToFileURL(found))).default
}
const [puppeteer, chromium] = [await load('puppeteer-core'), await load('@sparticuz/chromium')]
const browser = await puppeteer.launch({
  args: [...chromium.args, '--no-sandbox'],
  executablePath: await chromium.executablePath(),
  headless: 'shell',
})
const tab = await browser.newPage()
await tab.setViewport({ width: 1200, height: 830 })
await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
await tab.goto(pathToFileURL(page).href, { waitUntil: 'load' })
await tab.screenshot({ path: picture, type: 'webp', quality: 70 })
await browser.close()
