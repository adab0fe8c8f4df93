/* Loaded and unloaded by test_modules: two libraries of one source, shifted against each other. */
__asm__(".text\n.skip " PADDING ", 0x90\n");

long plugin_entry(long (*callback)(void));
void plugin_spin(long rounds);

static volatile double sink;

long plugin_entry(long (*callback)(void))
{
    long result = callback();
    __asm__ volatile("" : "+r"(result));
    return result;
}

void plugin_spin(long rounds)
{
    for (long i = 0; i < rounds; i++)
        sink += (double)i;
}
